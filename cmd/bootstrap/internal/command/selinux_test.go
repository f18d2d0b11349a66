package command_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const labelling = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  name: site
spec:
  nodeSelector: {}
  selinux: Manage
  sysctls: [{name: vm.swappiness, value: 10}]
`

// secured is a host with SELinux on, whose admin named a type for all below
// /opt/hostprofile, programs included.
func secured(t *testing.T, types ...string) (w *world, file string) {
	t.Helper()
	w = newWorld(t)
	w.host.SetSELinux(fake.SELinux{
		Mode: machine.SELinuxEnforcing, Types: append(types, "bin_t", "usr_t"),
		Contexts: "/.* system_u:object_r:default_t:s0\n/etc(/.*)? system_u:object_r:etc_t:s0\n",
	})
	w.host.PutDir("/opt/hostprofile/bin", 0o755)
	w.host.NameType("/opt/hostprofile(/.*)?", "usr_t")
	return w, w.file("site.yaml", labelling)
}

func TestTheLabelsOfSELinuxAreShown(t *testing.T) {
	w, file := secured(t, "container_file_t")
	golden(t, "selinux-check.txt", w.must(0, "check", "-f", file))
	golden(t, "selinux-plan.txt", w.must(0, "plan", "-f", file))
	golden(t, "selinux-up.txt", w.must(0, "up", "-f", file))
	w.host.SetLabel("/etc/sysctl.d/zz-hostprofile.conf", "system_u:object_r:bin_t:s0")
	golden(t, "selinux-status.txt", w.must(1, "status", "-v"))
	golden(t, "selinux-up-again.txt", w.must(0, "up"))
	golden(t, "selinux-down-dry-run.txt", w.must(0, "down", "--dry-run"))
	golden(t, "selinux-down.txt", w.must(0, "down", "--yes"))
}

func TestAMissingPolicyIsTold(t *testing.T) {
	w, file := secured(t)
	golden(t, "selinux-missing-check.txt", w.must(1, "check", "-f", file))
	golden(t, "selinux-missing-plan.txt", w.must(0, "plan", "-f", file))
	golden(t, "selinux-missing-up.txt", w.must(3, "up", "-f", file))
}
