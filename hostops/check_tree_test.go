package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// A tree of an image is checked as far as files can tell, and what is live here is never
// taken for its own.
func TestATreeIsCheckedByItsFilesAlone(t *testing.T) {
	h := fake.New()
	h.SetDefault("kernel/osrelease", "3.10.0")
	h.Reboot()
	h.AddSwap(fake.Swap{Path: "/dev/sdz9", Size: 1 << 30})
	h.SetProc("/proc/1/mounts", legacyMounts)
	h.PutFile("/etc/hostname", "# by the installer\nmy_image\n")
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw 0 0\n")
	h.PutFile("/etc/sysctl.d/zzz.conf", "net.ipv4.ip_forward = 0\n")
	h.PutFile("/var/lib/kubelet/config.yaml", "protectKernelDefaults: true\n")
	host, err := hostops.Open(t.Context(), hostops.Options{Root: "/mnt", Tree: true, Machine: h.Machine()})
	if err != nil {
		t.Fatal(err)
	}
	before := h.Mutations()
	results, err := host.Check(t.Context(), builtinProfiles(t, "kubernetes", "kubelet-defaults"))
	if err != nil || h.Mutations() != before {
		t.Fatal(err)
	}
	oneCheck(t, results, "floor", "/mnt does not run")
	if r := oneCheck(t, results, "swap", "/dev/sda2"); r.Outcome != hostops.CheckWarn || r.Line != 1 {
		t.Errorf("%+v", r)
	}
	oneCheck(t, results, "sysctl.d", "/etc/sysctl.d/zzz.conf:1")
	oneCheck(t, results, "hostname", "my_image")
	oneCheck(t, results, "kubelet", "it is set by /var/lib/kubelet/config.yaml:1")
	for _, r := range results {
		if strings.Contains(r.Message, "3.10") || strings.Contains(r.Message, "sdz9") || strings.Contains(r.Message, "cgroup v1") {
			t.Errorf("of the host that runs: %+v", r)
		}
	}
	for _, unnamed := range []func(){
		func() { h.PutFile("/etc/hostname", "localhost\n") },
		func() { h.Delete("/etc/hostname") },
	} {
		unnamed()
		host, _ = hostops.Open(t.Context(), hostops.Options{Root: "/mnt", Tree: true, Machine: h.Machine()})
		results, _ = host.Check(t.Context(), builtinProfiles(t, "kubernetes", "kubelet-defaults"))
		oneCheck(t, results, "hostname", "none yet")
		if anyStops(results) {
			t.Errorf("an image without a name: %+v", results)
		}
	}
}
