package vm_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	remote   = "/srv/bootstrap"
	siteFile = "/srv/site.yaml"
)

// everything are the arguments that name all profiles of the stories.
var everything = []string{"--profile", "kubernetes", "--profile", "kubelet-defaults", "-f", siteFile}

// node is a virtual machine with bootstrap and a site's profile on it.
type node struct {
	*testbed.VM
	t *testing.T
}

func start(t *testing.T, o testbed.VMOptions) *node {
	t.Helper()
	o.CommandLine = "systemd.mask=firewalld.service" // which no story here needs
	n := &node{VM: testbed.StartVM(t, o), t: t}
	file, err := program.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	n.push(file, remote)
	n.push("../../config/samples/site.yaml", siteFile)
	return n
}

// story tells one story on the node.
func (n *node) story(name string, tell func(*node)) bool {
	n.t.Helper()
	return n.t.Run(name, func(t *testing.T) { tell(&node{VM: n.VM, t: t}) })
}

func (n *node) push(local, path string) {
	n.t.Helper()
	if err := n.Push(n.t.Context(), local, path, 0o755); err != nil {
		n.t.Fatal(err)
	}
}

// write makes a file on the node.
func (n *node) write(path, content string) {
	n.t.Helper()
	local := filepath.Join(n.t.TempDir(), "content")
	if err := os.WriteFile(local, []byte(content), 0o600); err != nil {
		n.t.Fatal(err)
	}
	if err := n.Push(n.t.Context(), local, path, 0o644); err != nil {
		n.t.Fatal(err)
	}
}

// sh runs a line of shell that must end well, and returns what it printed.
func (n *node) sh(line string) string {
	n.t.Helper()
	return testbed.Output(n.t, n.VM, "sh", "-c", line)
}

// sysctl reads one key by its path below /proc/sys.
func (n *node) sysctl(path string) string {
	n.t.Helper()
	return testbed.Output(n.t, n.VM, "cat", "/proc/sys/"+path)
}

// sysctls reads keys by their paths below /proc/sys, all at once.
func (n *node) sysctls(paths []string) map[string]string {
	n.t.Helper()
	values := map[string]string{}
	for line := range strings.Lines(n.sh("cd /proc/sys && grep '' /dev/null " + strings.Join(paths, " "))) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		values[path] = value
	}
	if len(values) != len(paths) {
		n.t.Fatalf("read %d of %d keys", len(values), len(paths))
	}
	return values
}

func (n *node) mustBe(path, want string) {
	n.t.Helper()
	if got := n.sysctl(path); got != want {
		n.t.Errorf("%s is %q, want %q", path, got, want)
	}
}

// run runs a command that may end with any code.
func (n *node) run(argv ...string) testbed.Result {
	n.t.Helper()
	r, err := n.Run(n.t.Context(), argv...)
	if err != nil {
		n.t.Fatal(err)
	}
	return r
}

// bootstrap runs our program, which must end with the code.
func (n *node) bootstrap(code int, args ...string) testbed.Result {
	n.t.Helper()
	r := n.run(append([]string{remote}, args...)...)
	if r.ExitCode != code {
		n.t.Fatalf("bootstrap %s ended with %d, want %d:\n%s%s", strings.Join(args, " "), r.ExitCode, code, r.Stdout, r.Stderr)
	}
	return r
}

func (n *node) up() testbed.Result   { n.t.Helper(); return n.bootstrap(0, with("up", everything...)...) }
func (n *node) down() testbed.Result { n.t.Helper(); return n.bootstrap(0, "down", "--yes") }

func (n *node) reboot() {
	n.t.Helper()
	if err := n.Reboot(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
}

// with is a command line. These are stories of single runs, in which nothing else repairs
// the host: its unit has stories of its own.
func with(command string, args ...string) []string {
	line := append([]string{command}, args...)
	if command == "up" {
		line = append(line, "--no-unit")
	}
	return line
}

func (n *node) snapshot() snapshot.Snapshot {
	n.t.Helper()
	s, err := snapshot.Take(n.t.Context(), n.VM)
	if err != nil {
		n.t.Fatal(err)
	}
	return s
}

// asBefore wants the host to be as in a snapshot, but for the marker of `down`.
func (n *node) asBefore(before snapshot.Snapshot) {
	n.t.Helper()
	for _, line := range snapshot.NotGivenBack(before, n.snapshot()) {
		n.t.Errorf("not as before: %s", line)
	}
}

// document is what the program says to programs.
type document struct {
	Result   string
	ExitCode int
	Items    []documentItem
	Errors   []documentError
}

type documentItem struct {
	Key, Outcome, Reason, Message string
	Have, Want                    *string
}

type documentError struct {
	Reason, File, Object, Field, Message string
	Line                                 int
}

// document runs our program, which must end with the code and say the same in JSON.
func (n *node) document(code int, args ...string) document {
	n.t.Helper()
	r := n.bootstrap(code, append(args, "-o", "json")...)
	var d document
	if err := json.Unmarshal([]byte(r.Stdout), &d); err != nil {
		n.t.Fatalf("%v:\n%s", err, r.Stdout)
	}
	if d.ExitCode != code {
		n.t.Errorf("the document says exit code %d, the program ended with %d", d.ExitCode, code)
	}
	return d
}

// item returns the item of a key, which must be there.
func (d *document) item(t *testing.T, key string) documentItem {
	t.Helper()
	for _, i := range d.Items {
		if i.Key == key {
			return i
		}
	}
	t.Fatalf("no item %s in %+v", key, d.Items)
	return documentItem{}
}

func text(p *string) string {
	if p == nil {
		return "-"
	}
	return *p
}
