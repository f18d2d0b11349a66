package dir_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// Somebody's data is in a volume that is still mounted. The mounts are the kernel's own, in
// a sandbox.
func TestWhatIsMountedIsNeverTakenAway(t *testing.T) {
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return
	}
	m, err := linux.New("/")
	if err != nil {
		t.Fatal(err)
	}
	op := dir.New(m)
	build := func(path string) item.Key {
		k := dir.Key(path)
		if err := op.Apply(t.Context(), k, item.Absent, dir.State(0o755)); err != nil {
			t.Fatal(err)
		}
		return k
	}
	remove := func(k item.Key) error { return op.Apply(t.Context(), k, dir.State(0o755), item.Absent) }
	outer, volume := build("/var/lib/kubelet-test"), build("/var/lib/kubelet-test/volume")
	data := t.TempDir()
	if err := os.WriteFile(data+"/precious", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, empty := range []bool{false, true} {
		source := data
		if empty {
			source = t.TempDir()
		}
		if err := unix.Mount(source, volume.Path(), "", unix.MS_BIND, ""); err != nil {
			t.Fatal(err)
		}
		err := remove(volume)
		var e *item.Error
		if !errors.Is(err, machine.ErrBusy) || errors.Is(err, item.ErrLeave) || !errors.As(err, &e) ||
			e.Reason != dir.UnexpectedFilesystem || !strings.Contains(e.Fix, "umount "+volume.Path()) {
			t.Errorf("empty %v: %v", empty, err)
		}
		if err := remove(outer); !errors.Is(err, machine.ErrNotEmpty) {
			t.Errorf("around it: %v", err)
		}
		if err := unix.Unmount(volume.Path(), 0); err != nil {
			t.Errorf("it is not mounted any more: %v", err)
		}
	}
	if content, err := os.ReadFile(data + "/precious"); err != nil || string(content) != "x" {
		t.Errorf("the data: %q, %v", content, err)
	}
	for _, k := range []item.Key{volume, outer} {
		if err := remove(k); err != nil {
			t.Error(err)
		}
	}
}
