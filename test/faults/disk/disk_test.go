package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/testbed"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newDisk is a mounted disk, in a sandbox; nil outside of it.
func newDisk(t *testing.T) *disk.Disk {
	t.Helper()
	must(t, disk.NoteOutside())
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return nil
	}
	must(t, disk.Missing())
	d, err := disk.New("/run", "/run/disk", "noauto_da_alloc,commit=1000")
	must(t, err)
	must(t, d.Mount())
	t.Cleanup(func() { must(t, d.Unmount()) })
	return d
}

func TestACutTakesBackWhatWasNotSynced(t *testing.T) {
	d := newDisk(t)
	if d == nil {
		return
	}
	must(t, os.WriteFile("/run/disk/kept", []byte("kept"), 0o600))
	must(t, d.Sync())
	must(t, os.WriteFile("/run/disk/lost", []byte("lost"), 0o600))
	must(t, d.Cut(disk.Nothing))
	if err := os.WriteFile("/run/disk/late", nil, 0o600); err == nil {
		t.Error("after the cut a file can be made")
	}
	must(t, d.Unmount())
	must(t, d.Mount())
	names, err := filepath.Glob("/run/disk/*")
	must(t, err)
	if got := strings.Join(names, " "); got != "/run/disk/kept /run/disk/lost+found" {
		t.Errorf("there is %s", got)
	}
}

func TestOnlyADiskOfTheTestsOwnIsCutOff(t *testing.T) {
	d := newDisk(t)
	if d == nil {
		return
	}
	refused := func(why string) {
		t.Helper()
		if err := d.Cut(disk.Nothing); err == nil || !strings.Contains(err.Error(), "stays on") {
			t.Errorf("%s: %v", why, err)
		}
	}
	outside := os.Getenv("HOSTPROFILE_FAULTS_OUTSIDE")
	here, err := os.Readlink("/proc/self/ns/mnt")
	must(t, err)
	for _, ns := range []string{"", here} {
		t.Setenv("HOSTPROFILE_FAULTS_OUTSIDE", ns)
		refused("not in a mount namespace of its own")
	}
	t.Setenv("HOSTPROFILE_FAULTS_OUTSIDE", outside)
	must(t, os.Rename("/run/disk.ext4", "/run/other"))
	must(t, os.WriteFile("/run/disk.ext4", nil, 0o600))
	refused("another image")
	must(t, os.Rename("/run/other", "/run/disk.ext4"))
	must(t, d.Cut(disk.Nothing))
	must(t, d.Unmount())
	refused("it is not mounted")
}
