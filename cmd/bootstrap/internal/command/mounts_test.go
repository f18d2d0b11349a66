package command_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const mounting = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  name: site
spec:
  nodeSelector: {}
  mounts: {bpffs: Mounted, rootPropagation: Shared}
`

// openRC is a host whose init leaves the mounts private, with more on /sys/fs/bpf.
func openRC(t *testing.T, more ...fake.Mount) (w *world, file string) {
	t.Helper()
	w = newWorld(t)
	w.host.SetMounts(append([]fake.Mount{
		{Path: "/", Filesystem: "ext4", Entries: true}, {Path: "/sys", Filesystem: "sysfs", Entries: true},
	}, more...)...)
	return w, w.file("site.yaml", mounting)
}

func TestMountsAreMadeAndStayUntilTheNextBoot(t *testing.T) {
	w, file := openRC(t)
	golden(t, "mounts-plan.txt", w.must(0, "plan", "-f", file))
	golden(t, "mounts-up.txt", w.must(0, "up", "-f", file))
	golden(t, "mounts-status.txt", w.must(0, "status", "-v"))
	golden(t, "mounts-down-dry-run.txt", w.must(0, "down", "--dry-run"))
	golden(t, "mounts-down.txt", w.must(0, "down", "--yes"))
}

// Nobody requires a mount: what is there is named, and the host is ready all the same.
func TestAnotherFileSystemIsAWarning(t *testing.T) {
	w, file := openRC(t, fake.Mount{Path: "/sys/fs/bpf", Filesystem: "tmpfs"})
	golden(t, "mounts-foreign-plan.txt", w.must(0, "plan", "-f", file))
	golden(t, "mounts-foreign-up.txt", w.must(0, "up", "-f", file))
	golden(t, "mounts-foreign-status.txt", w.must(0, "status"))
}
