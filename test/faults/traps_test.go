package faults

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/test/faults/trace"
)

// elsewhere is what a trap leads to.
const elsewhere = ownFolder + "/elsewhere"

// trap is something in the place of one of our files. innocent is a file of somebody
// else's on the same file system.
type trap struct {
	name string
	set  func(innocent, path string) error
	undo func(path string) error
}

const innocentContent = "somebody else's\n"

var traps = []trap{
	{"a symbolic link", os.Symlink, os.Remove},
	{"a hard link", os.Link, os.Remove},
	{"a directory", func(_, path string) error { return os.Mkdir(path, 0o755) }, os.Remove},
	{"a pipe", func(_, path string) error { return unix.Mkfifo(path, 0o644) }, os.Remove},
	{"a file that is mounted over", func(innocent, path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o644), unix.Mount(innocent, path, "", unix.MS_BIND, ""))
	}, func(path string) error { return errors.Join(unix.Unmount(path, 0), os.Remove(path)) }},
}

// TestNoTrapIsSteppedInto: what stands where a file of ours belongs is neither followed
// nor replaced, and is named; once it is gone, the next run does the rest.
func TestNoTrapIsSteppedInto(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	clean := w.look()
	tried := 0
	for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad, paths.KubeletDropIn, paths.Ledger, paths.Input, paths.NodeIP, paths.RunLock, paths.RunLedger} {
		for _, trap := range traps {
			w.trapped(trap, path)
			w.mustBe(clean, fmt.Sprintf("after %s at %s, a run and its undoing", trap.name, path))
			tried++
		}
	}
	tell(t, "traps in the place of files: %d set, 0 stepped into", tried)
}

// trapped sets a trap, runs, and runs again without it.
func (w *world) trapped(trap trap, path string) {
	w.t.Helper()
	dir := filepath.Dir(path)
	_, err := os.Stat(dir)
	made := os.IsNotExist(err)
	must(w.t, os.MkdirAll(dir, 0o700))
	innocent := dir + "/innocent"
	must(w.t, os.WriteFile(innocent, []byte(innocentContent), 0o640))
	must(w.t, trap.set(innocent, path))
	before, err := os.Lstat(path)
	must(w.t, err)
	code, out := w.run(applyA...)
	if said := strings.Join(strings.Fields(out), " "); code == 0 || !strings.Contains(said, path) {
		w.t.Errorf("with %s at %s the run ended with %d: %s", trap.name, path, code, out)
	}
	if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
		w.t.Errorf("%s at %s is replaced: %v", trap.name, path, err)
	}
	if content, err := os.ReadFile(innocent); err != nil || string(content) != innocentContent {
		w.t.Errorf("with %s at %s the other file is %q, %v", trap.name, path, content, err)
	}
	must(w.t, errors.Join(trap.undo(path), os.Remove(innocent)))
	w.bootstrap(applyA...)
	w.clear()
	if made && dir != paths.StateDir && dir != paths.RunDir { // those are ours
		must(w.t, os.RemoveAll(dir)) // with what stood there first, which is given back
	}
}

// TestASwappedParentIsNotFollowed: while a run writes, somebody moves the folder away and
// puts a link to another in its place, before each of the calls in turn.
func TestASwappedParentIsNotFollowed(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	must(t, os.MkdirAll(elsewhere, 0o755))
	clean := w.look()
	tried := 0
	for _, folder := range []string{"/etc/sysctl.d", "/etc/modules-load.d", "/var/lib/hostprofile"} {
		calls := names(w.traced(nil, applyA...).Calls)
		w.clear()
		for n, call := range calls {
			if !strings.Contains(call, folder+"/") {
				continue
			}
			w.swapped(folder, n)
			w.bootstrap(applyA...)
			w.clear()
			w.mustBe(clean, fmt.Sprintf("after a swap of %s at call %d, %s, a run and its undoing", folder, n, call))
			tried++
		}
	}
	tell(t, "swapped parents: %d, 0 followed", tried)
}

// swapped swaps a folder before the n-th call, and swaps it back after the run.
func (w *world) swapped(folder string, n int) {
	w.t.Helper()
	moved := false
	w.traced(func(at int, _ trace.Call) trace.Verdict {
		if at == n && os.Rename(folder, folder+".away") == nil {
			moved = true
			must(w.t, os.Symlink(elsewhere, folder))
		}
		return trace.Verdict{}
	}, applyA...)
	if !moved {
		w.t.Fatalf("%s could not be moved away at call %d", folder, n)
	}
	if found, err := os.ReadDir(elsewhere); err != nil || len(found) > 0 {
		w.t.Errorf("after a swap of %s at call %d there is %v, %v", folder, n, found, err)
	}
	must(w.t, os.Remove(folder))
	must(w.t, os.Rename(folder+".away", folder))
}
