package hostops_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestSettingsAreCountedAndTheMissingOnesNamed(t *testing.T) {
	h := kubernetesHost()
	results := checked(t, h, append(builtinProfiles(t, "kubernetes"), siteProfile(t, "sysctls: [{name: vm.no_such_key, value: 1}, {name: vm.other_key, value: 1, ifMissing: Skip}]")...))
	if r := oneCheck(t, results, "sysctls", "would change"); r.Message != "3 would change, 2 known later, 1 not on this host, skipped" {
		t.Errorf("%+v", r)
	}
	if r := oneCheck(t, results, "sysctls", "no_such_key"); !r.Stops() || r.Reason != "KeyNotFound" || r.Fix == "" {
		t.Errorf("%+v", r)
	}
}

func TestAProfileAgainstTheKubeletsDefaultsIsTold(t *testing.T) {
	h := kubernetesHost()
	h.PutDir("/proc", fs.ModeDir|0o555)
	asked := builtinProfiles(t, "kubelet-defaults")
	if r := oneCheck(t, checked(t, h, asked), "kubelet", "settings of protectKernelDefaults"); r.Outcome != hostops.CheckOK || r.Message != "3 of 6 settings of protectKernelDefaults hold, 6 after 'up'" {
		t.Errorf("%+v", r)
	}
	results := checked(t, h, append(asked, siteProfile(t, "sysctls: [{name: vm.panic_on_oom, value: 1}]")...))
	r := oneCheck(t, results, "kubelet", "vm.panic_on_oom becomes 1 (site)")
	if !r.Stops() || r.Reason != "KubeletWillFailAtRestart" || !strings.Contains(r.Message, "accepts 0 only") {
		t.Errorf("%+v", r)
	}
	if found := checksOf(checked(t, h, builtinProfiles(t, "kubernetes")), "kubelet", ""); len(found) > 0 {
		t.Errorf("not asked for: %+v", found)
	}
}

func TestInotifyInstancesOfRootAreCounted(t *testing.T) {
	h := kubernetesHost()
	open := func(pid, fd, target string) { h.PutLink("/proc/"+pid+"/fd/"+fd, target) }
	open("1", "0", "/dev/null")
	open("1", "5", "anon_inode:inotify")
	open("300", "7", "anon_inode:inotify")
	open("301", "7", "anon_inode:inotify")
	h.Chown("/proc/301", 1000, 1000)
	if r := oneCheck(t, checked(t, h, nil), "inotify", "root uses 2 of 128 instances"); r.Outcome != hostops.CheckOK {
		t.Errorf("%+v", r)
	}
	_ = h.SetSysctl("fs/inotify/max_user_instances", "2")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "inotify", "2 of 2"); r.Outcome != hostops.CheckWarn || !r.MendedByUp {
		t.Errorf("%+v", r)
	}
	if r := oneCheck(t, checked(t, h, nil), "inotify", "2 of 2"); r.MendedByUp {
		t.Errorf("nobody raises it: %+v", r)
	}
}

func TestACheckWithoutProfilesIsAboutTheHostAlone(t *testing.T) {
	h := kubernetesHost()
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	results := checked(t, h, nil)
	if r := oneCheck(t, results, "swap", "/dev/sda2"); r.Outcome != hostops.CheckInfo {
		t.Errorf("%+v", r)
	}
	if anyStops(results) {
		t.Errorf("%+v", results)
	}
}
