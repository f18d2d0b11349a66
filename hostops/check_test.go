package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

const unifiedMounts = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"

// kubernetesHost is a host on which everything is as Kubernetes needs it, but for what Up
// does.
func kubernetesHost(options ...fake.Option) *fake.Host {
	h := fake.New(options...)
	h.SetProc("/proc/1/mounts", unifiedMounts)
	h.SetProc("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids\n")
	return h
}

func builtinProfiles(t *testing.T, names ...string) []v1alpha1.HostProfile {
	t.Helper()
	var all []v1alpha1.HostProfile
	for _, name := range names {
		b, _ := profiles.Get(name)
		all = append(all, loadedProfiles(t, string(b.YAML))...)
	}
	return all
}

func loadedProfiles(t *testing.T, text string) []v1alpha1.HostProfile {
	t.Helper()
	list, err := profile.Load("test", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// siteProfile is a profile of one line.
func siteProfile(t *testing.T, line string) []v1alpha1.HostProfile {
	t.Helper()
	return loadedProfiles(t, "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec:\n  nodeSelector: {}\n  "+line+"\n")
}

func checked(t *testing.T, h *fake.Host, p []v1alpha1.HostProfile) []hostops.CheckResult {
	t.Helper()
	before := h.Mutations()
	host, err := hostops.Open(t.Context(), hostops.Options{Root: "/", Version: "v0.1.0", Machine: h.Machine()})
	if err != nil {
		t.Fatal(err)
	}
	results, err := host.Check(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if h.Mutations() != before {
		t.Error("the check changed the host")
	}
	return results
}

// checksOf returns the results of one section whose message holds a text.
func checksOf(results []hostops.CheckResult, id, text string) []hostops.CheckResult {
	var out []hostops.CheckResult
	for _, r := range results {
		if (r.ID == id || strings.HasPrefix(r.ID, id+".")) && strings.Contains(r.Message, text) {
			out = append(out, r)
		}
	}
	return out
}

// oneCheck returns the only such result.
func oneCheck(t *testing.T, results []hostops.CheckResult, id, text string) hostops.CheckResult {
	t.Helper()
	found := checksOf(results, id, text)
	if len(found) != 1 {
		t.Fatalf("%d results of %s with %q in %+v", len(found), id, text, results)
	}
	return found[0]
}

func anyStops(results []hostops.CheckResult) bool {
	for i := range results {
		if results[i].Stops() {
			return true
		}
	}
	return false
}

func TestAFirstInstallationPassesItsCheck(t *testing.T) {
	h := kubernetesHost()
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	results := checked(t, h, builtinProfiles(t, "kubernetes", "kubelet-defaults", "cilium"))
	if anyStops(results) {
		t.Errorf("%+v", results)
	}
	if r := oneCheck(t, results, "swap", "/dev/sda2"); r.Outcome != hostops.CheckFail || !r.MendedByUp || !strings.Contains(r.Message, "source unknown") {
		t.Errorf("%+v", r)
	}
}

func TestTheKernelFloor(t *testing.T) {
	for release, want := range map[string]hostops.CheckOutcome{
		"3.10.0-1160.el7.x86_64":       hostops.CheckFail,
		"4.19.56":                      hostops.CheckFail,
		"4.19.57":                      hostops.CheckWarn,
		"5.9.16-generic":               hostops.CheckWarn,
		"5.10.0-30-amd64":              hostops.CheckOK,
		"6.12.74+deb13+1-amd64":        hostops.CheckOK,
		"4.18.0-305.el8.x86_64":        hostops.CheckFail,
		"4.18.0-552.el8.x86_64":        hostops.CheckFail,
		"4.18.0-553.el8_10.x86_64":     hostops.CheckWarn,
		"4.18.0-553.8.1.el8_10.x86_64": hostops.CheckWarn,
		"4.18.0-600.el8.x86_64":        hostops.CheckWarn,
		"4.18.0-553.el9.x86_64":        hostops.CheckFail,
		"4.19.300":                     hostops.CheckWarn,
		"4.18.0-generic":               hostops.CheckFail,
		"whatever":                     hostops.CheckWarn,
	} {
		h := kubernetesHost()
		h.SetDefault("kernel/osrelease", release)
		h.Reboot()
		r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "floor.kernel", "")
		if r.Outcome != want {
			t.Errorf("%s: %+v, want %s", release, r, want)
		}
	}
}

func TestCgroupsAreRequiredForKubernetesOnly(t *testing.T) {
	h := kubernetesHost()
	h.SetProc("/proc/1/mounts", "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw 0 0\n")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "floor.cgroup", "v1"); !r.Stops() {
		t.Errorf("%+v", r)
	}
	results := checked(t, h, siteProfile(t, "sysctls: [{name: vm.swappiness, value: 1}]"))
	if r := oneCheck(t, results, "floor.cgroup", "v1"); r.Outcome != hostops.CheckInfo || anyStops(results) {
		t.Errorf("on a host without Kubernetes: %+v", r)
	}
	h.SetProc("/proc/1/mounts", unifiedMounts)
	h.SetProc("/sys/fs/cgroup/cgroup.controllers", "cpu io pids\n")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "floor.cgroup", "without memory"); !r.Stops() {
		t.Errorf("%+v", r)
	}
}

func TestAModuleThatCannotBeLoadedIsNamedWithItsCause(t *testing.T) {
	const release = "/lib/modules/6.12.74+deb13+1-amd64"
	h := kubernetesHost()
	h.PutFile(release+"/modules.dep", "kernel/fs/overlayfs/overlay.ko.xz:\nkernel/net/bridge/br_netfilter.ko.zst: kernel/net/bridge/bridge.ko\n")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "modules", ""); r.Outcome != hostops.CheckOK || !strings.Contains(r.Message, "br_netfilter, overlay available") {
		t.Errorf("%+v", r)
	}
	h.PutFile("/etc/modprobe.d/cis.conf", "# CIS\nblacklist overlay\ninstall br_netfilter /bin/false\n")
	r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "modules", "forbidden")
	if !r.Stops() || r.File != "/etc/modprobe.d/cis.conf" || r.Line != 3 || r.Reason != "ModuleBlacklisted" {
		t.Errorf("%+v", r)
	}
	h.Delete("/etc/modprobe.d/cis.conf")
	h.PutFile(release+"/modules.dep", "kernel/fs/overlayfs/overlay.ko:\n")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "modules", "has no module br_netfilter"); !r.Stops() || r.Reason != "ModuleUnavailable" {
		t.Errorf("%+v", r)
	}
}

func TestEverySwapAreaIsNamedWithItsSource(t *testing.T) {
	h := kubernetesHost()
	h.PutFile("/etc/fstab", "/dev/sda1 / ext4 defaults 0 1\n/dev/sda2 none swap sw 0 0\n")
	h.PutFile("/usr/lib/systemd/zram-generator.conf", "[zram0]\nzram-size = ram\n")
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	h.AddSwap(fake.Swap{Path: "/dev/zram0", Size: 1 << 30, Priority: 100})
	results := checked(t, h, builtinProfiles(t, "kubernetes"))
	if r := oneCheck(t, results, "swap", "/etc/fstab:2"); r.File != "/etc/fstab" || r.Line != 2 || !strings.Contains(r.Fix, "switches it off") {
		t.Errorf("%+v", r)
	}
	oneCheck(t, results, "swap", "/usr/lib/systemd/zram-generator.conf")
	if r := oneCheck(t, results, "swap", "/dev/zram0"); !strings.Contains(r.Message, "of 1 GiB is in use, 0 KiB of it taken") {
		t.Errorf("%+v", r)
	}
	keep := append(builtinProfiles(t, "kubernetes"), siteProfile(t, "swap: Keep")...)
	for _, r := range checksOf(checked(t, h, keep), "swap", "") {
		if r.Outcome != hostops.CheckInfo || r.Reason != "SwapRetained" {
			t.Errorf("%+v", r)
		}
	}
}

// What is out of use now comes back with the next boot, or with cloud-init.
func TestWhatWouldTakeSwapIntoUseIsNamed(t *testing.T) {
	h := kubernetesHost()
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw 0 0\n/dev/sda3 none swap noauto 0 0\n")
	h.PutFile("/etc/systemd/system/swapfile.swap", "[Swap]\nWhat=/swapfile\n")
	h.PutFile("/etc/cloud/cloud.cfg.d/swap.cfg", "#cloud-config\nswap:\n  filename: /swap.img\n  size: auto\n")
	h.PutFile("/etc/initramfs-tools/conf.d/resume", "RESUME=/dev/sda2\n")
	results := checked(t, h, builtinProfiles(t, "kubernetes"))
	oneCheck(t, results, "swap", "no swap is in use")
	for text, outcome := range map[string]hostops.CheckOutcome{
		"/etc/fstab:1":                           hostops.CheckWarn,
		"/etc/systemd/system/swapfile.swap:2":    hostops.CheckWarn,
		"cloud-init makes /swap.img":             hostops.CheckWarn,
		"would wake up from: /etc/initramfs-too": hostops.CheckInfo,
	} {
		if r := oneCheck(t, results, "swap", text); r.Outcome != outcome || r.Stops() || r.File == "" || (outcome == hostops.CheckWarn) != (r.Fix != "") {
			t.Errorf("%s: %+v", text, r)
		}
	}
	for _, r := range checksOf(checked(t, h, nil), "swap", "") {
		if r.Outcome == hostops.CheckWarn {
			t.Errorf("nobody wants it off: %+v", r)
		}
	}
}
