package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// profileWith is a profile with one sysctl entry, which stands in line 7.
func profileWith(entry string) string {
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: bad}\nspec:\n  nodeSelector: {}\n  sysctls:\n    - " + entry + "\n"
}

// badInput is a file that must be refused, and where it says so. A line of 0 and an empty
// field mean that the file as a whole is wrong.
type badInput struct {
	name, text string
	line       int
	field      string
}

func badInputs() []badInput {
	again := profileWith("{name: vm.swappiness, value: 1}")
	return []badInput{
		{"unknown field", profileWith("{name: vm.swappiness, valeu: 1}"), 7, "spec.sysctls[0].valeu"},
		{"wrong type", strings.Replace(again, "nodeSelector: {}", "priority: high\n  nodeSelector: {}", 1), 5, "spec.priority"},
		{"a mapping where a list belongs", "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: bad}\nspec:\n  nodeSelector: {}\n  sysctls: {vm.swappiness: 1}\n", 6, "spec.sysctls"},
		{"key twice", profileWith("{name: vm.swappiness, value: 1}\n    - {name: vm.swappiness, value: 2}"), 8, "spec.sysctls[1].name"},
		{"two dots in a key", profileWith("{name: vm...swappiness, value: 1}"), 7, "spec.sysctls[0].name"},
		{"slash first", profileWith("{name: net/ipv4/conf/eth0.10/rp_filter, value: 1}"), 7, "spec.sysctls[0].name"},
		{"newline in a value", profileWith(`{name: kernel.sem, value: "1\n2"}`), 7, "spec.sysctls[0].value"},
		{"quote in a value", profileWith(`{name: kernel.sem, value: "'1 2'"}`), 7, "spec.sysctls[0].value"},
		{"plus in a value", profileWith(`{name: kernel.sem, value: "+1"}`), 7, "spec.sysctls[0].value"},
		{"a key that runs programs", profileWith("{name: kernel.core_pattern, value: core}"), 7, "spec.sysctls[0].name"},
		{"octal", profileWith("{name: vm.swappiness, value: 010}"), 7, "spec.sysctls[0].value"},
		{"boolean", profileWith("{name: vm.swappiness, value: off}"), 7, "spec.sysctls[0].value"},
		{"empty", "", 0, ""},
		{"only comments", "# nothing\n---\n# and nothing\n", 0, ""},
		{"10 MB", again + strings.Repeat("# much text\n", 10<<20/12), 0, ""},
		{"no YAML", "a: b: c: {\n", 1, ""},
		{"a sysctl.d file", "vm.swappiness = 1\n", 1, ""},
		{"two documents with one name", again + "---\n" + again, 11, "metadata.name"},
		{"no nodeSelector", strings.Replace(again, "  nodeSelector: {}\n", "", 1), 4, "spec.nodeSelector"},
	}
}

func TestBadInputIsRefusedWithItsPlace(t *testing.T) {
	for _, bad := range badInputs() {
		for _, command := range []string{"validate", "plan", "up", "check"} {
			t.Run(bad.name+"/"+command, func(t *testing.T) {
				w := newWorld(t)
				file := w.file("site.yaml", bad.text)
				before := w.host.String()
				bad.inText(t, w.must(2, command, "-f", file))
				bad.inDocument(t, w.must(2, command, "-f", file, "-o", "json"))
				if after := w.host.String(); after != before || w.host.Mutations() > 0 {
					t.Errorf("the host changed:\n%s", after)
				}
			})
		}
	}
}

func (bad *badInput) inText(t *testing.T, a answer) {
	t.Helper()
	text := a.stdout + a.stderr
	place := "site.yaml"
	if bad.line > 0 {
		place += ":" + itoa(bad.line)
	}
	if !strings.Contains(text, place+":") || !strings.Contains(text, bad.field) || !strings.Contains(text, "Nothing was changed.") {
		t.Errorf("want %s, field %q and that nothing was changed, got:\n%s", place, bad.field, text)
	}
}

func (bad *badInput) inDocument(t *testing.T, a answer) {
	t.Helper()
	doc := a.document(t)
	if doc["kind"] != "Error" || doc["result"] != "Refused" {
		t.Errorf("kind %v, result %v", doc["kind"], doc["result"])
	}
	for _, e := range doc["errors"].([]any) {
		e := e.(map[string]any)
		line, _ := e["line"].(float64)
		field, _ := e["field"].(string)
		file, _ := e["file"].(string)
		if strings.HasSuffix(file, "site.yaml") && int(line) == bad.line && field == bad.field && e["reason"] != "" && e["message"] != "" {
			return
		}
	}
	t.Errorf("no error at line %d, field %q:\n%s", bad.line, bad.field, a.stdout)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestBadInputAsPeopleSeeIt(t *testing.T) {
	w := newWorld(t)
	file := w.file("site.yaml", profileWith("{name: net.ipv4.conf.all.rp_filter, value: off}\n    - {name: vm.swappiness, value: 010}"))
	golden(t, "validate-bad.txt", w.must(2, "validate", "-f", file))
	golden(t, "validate-bad.json", w.must(2, "validate", "-f", file, "-o", "json"))
	golden(t, "up-bad.txt", w.must(2, "up", "-f", file))
}

func TestValidInput(t *testing.T) {
	w := newWorld(t)
	golden(t, "validate.txt", w.must(0, "validate", "-f", w.file("site.yaml", site), "--profile", "kubernetes"))
	golden(t, "validate.json", w.must(0, "validate", "-f", w.file("site.yaml", site), "-o", "json"))
	w.must(2, "validate")
}

func named(name, priority, selector string) string {
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: " + name + "}\nspec:\n  nodeSelector: " + selector +
		"\n  priority: " + priority + "\n  sysctls:\n    - {name: vm.swappiness, value: " + itoa(len(name)) + "}\n"
}

func TestProfilesOfOnePriorityThatDisagreeAreRefused(t *testing.T) {
	for _, command := range []string{"validate", "plan", "up"} {
		w := newWorld(t)
		a, b := w.file("a.yaml", named("a", "5", "{}")), w.file("b.yaml", named("bb", "5", "{}"))
		golden(t, "conflict.txt", merged(w.must(2, command, "-f", a, "-f", b)))
		w.must(2, command, "-f", b, "-f", a, "-o", "json").document(t)
		if w.host.Mutations() > 0 {
			t.Error("the host changed")
		}
		w.must(2, command, "-f", a, "-f", w.file("c.yaml", named("a", "6", "{}"))) // one name in two files
	}
}

// merged takes the two streams for one, for commands that differ only in where they write.
func merged(a answer) answer { return answer{stdout: a.stdout + a.stderr} }

func TestANodeSelectorNeedsLabels(t *testing.T) {
	w := newWorld(t)
	file := w.file("gpu.yaml", named("gpu", "5", `{matchLabels: {pool: "gpu"}}`))
	golden(t, "labels-missing.txt", w.must(2, "plan", "-f", file))
	golden(t, "labels-other.txt", w.must(2, "plan", "-f", file, "--node-labels", "pool=cpu"))
	w.must(2, "plan", "-f", file, "--node-labels", "")
	w.must(2, "plan", "-f", file, "--node-labels", "pool")
	w.must(2, "plan", "-f", file, "--node-labels", "po ol=gpu")
	w.must(0, "plan", "-f", file, "--node-labels", "zone=a,pool=gpu")
	w.must(0, "plan", "-f", file, "--node-labels", "zone=a", "--node-labels", "pool=gpu")
	w.must(0, "validate", "-f", file)
	own := w.file("own.yaml", named("own", "5", `{matchLabels: {kubernetes.io/hostname: "node1.example.net", kubernetes.io/os: linux}}`))
	w.must(0, "plan", "-f", own, "--node-labels", "")
	if w.host.Mutations() > 0 {
		t.Error("the host changed")
	}
}

func TestProfilesFromTheStandardInput(t *testing.T) {
	w := newWorld(t)
	w.stdin = strings.NewReader(site)
	a := w.must(0, "plan", "-f", "-")
	if a.stderr != "" || !strings.Contains(a.stdout, "site-workers") {
		t.Errorf("%s%s", a.stdout, a.stderr)
	}
	w.stdin, w.terminal.In = strings.NewReader(site), true
	if a = w.must(0, "plan", "-f", "-", "-o", "json"); !strings.Contains(a.stderr, "Ctrl-D") {
		t.Errorf("no hint on a terminal: %q", a.stderr)
	}
	a.document(t)
	w.stdin = strings.NewReader(site)
	if a = w.must(2, "plan", "-f", "-", "-f", "-"); !strings.Contains(a.stderr, "given twice") {
		t.Errorf("%s", a.stderr)
	}
	w.stdin = strings.NewReader("nonsense")
	if a = w.must(2, "plan", "-f", "-"); !strings.Contains(a.stderr, "stdin:1:1") {
		t.Errorf("%s", a.stderr)
	}
}

func TestAFileThatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	a := w.must(2, "up", "-f", w.dir+"/none.yaml", "-o", "json")
	errs := a.document(t)["errors"].([]any)
	if e := errs[0].(map[string]any); !strings.HasSuffix(e["file"].(string), "none.yaml") || !strings.Contains(e["message"].(string), "no such file") {
		t.Errorf("%v", e)
	}
	w.must(2, "up", "-f", w.dir)
}

func TestNoProfileAtAllIsNotAnEmptyWish(t *testing.T) {
	w := newWorld(t, fake.Link("lxc1"))
	w.must(3, "up")
	w.must(3, "plan")
	w.must(0, "up", "--profile", "kubernetes")
	w.must(2, "up", "-f", w.file("gpu.yaml", named("gpu", "5", `{matchLabels: {pool: gpu}}`)), "--node-labels", "pool=cpu")
	if v, _ := w.host.Sysctl("net/ipv4/ip_forward"); v != "1" {
		t.Error("what was in force was given back")
	}
}
