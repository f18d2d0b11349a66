package host_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	remote = "/run/test/bootstrap"
	dropIn = "/etc/sysctl.d/zz-hostprofile.conf"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.RemoveShared()
	os.Exit(code)
}

// box is a sandbox with bootstrap in it.
type box struct {
	*testbed.Sandbox
	t *testing.T
}

func newBox(t *testing.T) *box {
	t.Helper()
	return newBoxWith(t, testbed.SandboxOptions{})
}

func newBoxWith(t *testing.T, o testbed.SandboxOptions) *box {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program: not with -short")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	file, err := program.Shared()
	if err != nil {
		t.Fatal(err)
	}
	s, err := testbed.NewSandbox(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &box{Sandbox: s, t: t}
	b.sh("mkdir -p /run/test /etc/sysctl.d && rm -f " + dropIn + " && install -m 755 " + file + " " + remote)
	return b
}

func (b *box) run(argv ...string) testbed.Result {
	b.t.Helper()
	r, err := b.Run(b.t.Context(), argv...)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// sh runs a line of shell that must end well, and returns what it printed.
func (b *box) sh(line string) string {
	b.t.Helper()
	r := b.run("sh", "-c", line)
	if r.ExitCode != 0 {
		b.t.Fatalf("%s ended with %d: %s%s", line, r.ExitCode, r.Stdout, r.Stderr)
	}
	return strings.TrimSpace(r.Stdout)
}

// write makes a file in the sandbox.
func (b *box) write(path, content string) {
	b.t.Helper()
	r := b.run("sh", "-c", `printf %s "$2" >"$1"`, "sh", path, content)
	if r.ExitCode != 0 {
		b.t.Fatalf("write %s: %s", path, r.Stderr)
	}
}

// bootstrap runs our program, which must end with the code.
func (b *box) bootstrap(code int, args ...string) testbed.Result {
	b.t.Helper()
	r := b.run(append([]string{remote}, args...)...)
	if r.ExitCode != code {
		b.t.Fatalf("bootstrap %s ended with %d, want %d:\n%s%s", strings.Join(args, " "), r.ExitCode, code, r.Stdout, r.Stderr)
	}
	return r
}

// up applies a profile with the given entries.
func (b *box) up(code int, entries ...string) document {
	b.t.Helper()
	const file = "/run/test/site.yaml"
	b.write(file, site(entries...))
	r := b.bootstrap(code, "up", "-f", file, "-o", "json")
	var d document
	if err := json.Unmarshal([]byte(r.Stdout), &d); err != nil {
		b.t.Fatalf("%v:\n%s", err, r.Stdout)
	}
	return d
}

func site(entries ...string) string {
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec:\n  nodeSelector: {}\n  sysctls:\n    - " +
		strings.Join(entries, "\n    - ") + "\n"
}

func (b *box) mustBe(path, want string) {
	b.t.Helper()
	if got := b.sh("cat /proc/sys/" + path); got != want {
		b.t.Errorf("%s is %q, want %q", path, got, want)
	}
}

// document is what the program says to programs.
type document struct {
	Result           string
	Items            []struct{ Key, Outcome, Reason, Message string }
	Errors, Warnings []message
}

type message struct{ Reason, Key, Object, File, Message, Fix, Hint string }

// tells wants one of the messages to have a reason and a word.
func tells(t *testing.T, all []message, reason, word string) {
	t.Helper()
	for _, m := range all {
		if m.Reason == reason && strings.Contains(m.Object+" "+m.Key+" "+m.Message, word) {
			return
		}
	}
	t.Errorf("nothing tells reason %q with %q: %+v", reason, word, all)
}
