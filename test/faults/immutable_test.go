package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// TestAnImmutableFileIsToldAndTheRestIsDone: an admin's chattr +i.
func TestAnImmutableFileIsToldAndTheRestIsDone(t *testing.T) {
	o := inOutage(t)
	if o == nil {
		return
	}
	change := []string{"up", "-f", o.changed()}
	for path, args := range map[string][]string{paths.SysctlDropIn: change, paths.Ledger: change, paths.KubeletDropIn: give, paths.ModulesLoad: give} {
		o.bootstrap(applyA...)
		before, err := os.ReadFile(path)
		must(t, err)
		immutable(t, path, true)
		code, out := o.run(args...)
		if said := strings.Join(strings.Fields(out), " "); code != 1 || !strings.Contains(said, path) || !strings.Contains(said, "not permitted") {
			t.Errorf("%s: ended with %d: %s", path, code, out)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(before) {
			t.Errorf("%s is %q, %v", path, now, err)
		}
		if strays, _ := filepath.Glob(filepath.Dir(path) + "/.*hostprofile~"); len(strays) > 0 {
			t.Errorf("there is %q", strays)
		}
		immutable(t, path, false)
		o.bootstrap(args...)
		o.changesNothing("once it can be changed", args...)
		o.clear()
	}
}

// changed is a profile with another value than profileA.
func (w *world) changed() string {
	w.t.Helper()
	const file = ownFolder + "/changed.yaml"
	w.write(file, strings.ReplaceAll(profileA, "16777216", "8388608"))
	return file
}

// immutable sets or clears chattr's i.
func immutable(t *testing.T, path string, on bool) {
	t.Helper()
	const setFlags, flag = 0x40086602, 0x10
	f, err := os.Open(path)
	must(t, err)
	value := 0
	if on {
		value = flag
	}
	must(t, unix.IoctlSetPointerInt(int(f.Fd()), setFlags, value))
	must(t, f.Close())
}
