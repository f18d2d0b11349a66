package vm_test

import (
	"fmt"
	"strings"
)

// badInput is a file that must be refused, and where it says so. A line of 0 and an empty
// field mean that the file as a whole is wrong.
type badInput struct {
	name, content string
	line          int
	field         string
}

// entry is a profile with one sysctl entry, which stands in line 7.
func entry(e string) string {
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: bad}\nspec:\n  nodeSelector: {}\n  sysctls:\n    - " + e + "\n"
}

func badInputs() []badInput {
	good := entry("{name: vm.swappiness, value: 1}")
	const name, value = "spec.sysctls[0].name", "spec.sysctls[0].value"
	return []badInput{
		{"unknown field", entry("{name: vm.swappiness, valeu: 1}"), 7, "spec.sysctls[0].valeu"},
		{"wrong type", strings.Replace(good, "nodeSelector: {}", "priority: high\n  nodeSelector: {}", 1), 5, "spec.priority"},
		{"key twice", entry("{name: vm.swappiness, value: 1}\n    - {name: vm.swappiness, value: 2}"), 8, "spec.sysctls[1].name"},
		{"two dots in a key", entry("{name: net.ipv4..ip_forward, value: 1}"), 7, name},
		{"way out of the tree", entry("{name: vm/../kernel/panic, value: 1}"), 7, name},
		{"slash first", entry("{name: net/ipv4/conf/eth0.10/rp_filter, value: 1}"), 7, name},
		{"newline in a value", entry(`{name: kernel.sem, value: "1\n2"}`), 7, value},
		{"quote in a value", entry(`{name: kernel.sem, value: "'1 2'"}`), 7, value},
		{"plus in a value", entry(`{name: kernel.sem, value: "+1"}`), 7, value},
		{"key that runs programs", entry("{name: kernel.core_pattern, value: core}"), 7, name},
		{"unquoted octal", entry("{name: vm.swappiness, value: 010}"), 7, value},
		{"unquoted off", entry("{name: vm.swappiness, value: off}"), 7, value},
		{"empty file", "", 0, ""},
		{"10 MB", good + strings.Repeat("# much text\n", 10<<20/12), 0, ""},
		{"no YAML", "a: b: c: {\n", 1, ""},
		{"two documents with one name", good + "---\n" + good, 11, "metadata.name"},
		{"no nodeSelector", strings.Replace(good, "  nodeSelector: {}\n", "", 1), 4, "spec.nodeSelector"},
	}
}

func badInputChangesNothing(n *node) {
	n.up()
	const folder = "/run/bad/"
	inputs := badInputs()
	for i := range inputs {
		n.write(fmt.Sprintf("%s%d.yaml", folder, i), inputs[i].content)
	}
	before := n.snapshot()
	n.sh("touch " + folder + "before")
	for i := range inputs {
		n.refuses(&inputs[i], fmt.Sprintf("%s%d.yaml", folder, i))
	}
	n.asBefore(before)
	if touched := n.sh("find /etc /var/lib/hostprofile /run/hostprofile -newer " + folder + "before"); touched != "" {
		n.t.Errorf("written anew with the same content: %s", touched)
	}
	n.sh("rm -r " + folder)
}

func (n *node) refuses(bad *badInput, file string) {
	n.t.Helper()
	d := n.document(2, "up", "-f", file, "--no-unit")
	for _, e := range d.Errors {
		if e.File == file && e.Line == bad.line && e.Field == bad.field && e.Message != "" {
			return
		}
	}
	n.t.Errorf("%s: want line %d and field %q, got %+v", bad.name, bad.line, bad.field, d.Errors)
}
