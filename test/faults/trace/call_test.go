package trace_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/test/faults/trace"
)

func TestMain(m *testing.M) {
	trace.Become()
	os.Exit(m.Run())
}

func TestATemporaryNameIsThatOfItsFile(t *testing.T) {
	c := trace.Call{Name: "openat", Path: "/etc/.f.conf.0123456789abcdef.hostprofile~"}
	if c.Final() != "/etc/f.conf" || !c.Temporary() || c.String() != "openat /etc/.f.conf.*.hostprofile~" {
		t.Errorf("%q, %v, %q", c.Final(), c.Temporary(), c)
	}
	if c := (trace.Call{Name: "openat", Path: "/etc/f.conf"}); c.Final() != c.Path || c.Temporary() {
		t.Errorf("%q, %v", c.Final(), c.Temporary())
	}
}

// script changes two files, one of them from a child process.
func script(dir string) []string {
	return []string{"sh", "-c", "mkdir " + dir + "/a; sh -c 'mkdir " + dir + "/b'; rmdir " + dir + "/a"}
}

func run(t *testing.T, decide func(int, trace.Call) trace.Verdict, argv ...string) *trace.Run {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	r, err := trace.Program(decide, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAProgramIsKilledBeforeTheCall(t *testing.T) {
	all := len(run(t, nil, script(t.TempDir())...).Calls)
	if all != 3 {
		t.Fatalf("%d calls, not 3", all)
	}
	for n := range all {
		dir := t.TempDir()
		r := run(t, func(at int, _ trace.Call) trace.Verdict { return trace.Verdict{Kill: at == n} }, script(dir)...)
		left, err := filepath.Glob(dir + "/*")
		if err != nil {
			t.Fatal(err)
		}
		if !r.Killed() || len(r.Calls) != n+1 || len(left) != n {
			t.Errorf("killed at call %d: killed %v, calls %v, left %v", n, r.Killed(), r.Calls, left)
		}
	}
}

func TestACallIsRefusedAndNotMade(t *testing.T) {
	dir := t.TempDir()
	r := run(t, func(int, trace.Call) trace.Verdict { return trace.Verdict{Errno: syscall.EDQUOT} }, "mkdir", dir+"/a")
	if _, err := os.Stat(dir + "/a"); !os.IsNotExist(err) {
		t.Errorf("it was made: %v", err)
	}
	if r.ExitCode != 1 || len(r.Calls) != 1 || r.Calls[0].Errno != syscall.EDQUOT || len(r.Changes()) != 0 {
		t.Errorf("ended with %d: %v: %s", r.ExitCode, r.Calls, r.Output)
	}
}
