package hostops_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const (
	legacyMounts = "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw 0 0\n"
	hybridMounts = legacyMounts + "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
)

func TestTheFloorNamesEachCauseWithItsCure(t *testing.T) {
	for name, c := range map[string]struct {
		place   func(*fake.Host)
		reasons []item.Reason
		words   []string
	}{
		"a host that will do": {place: func(*fake.Host) {}},
		"an old kernel":       {func(h *fake.Host) { setKernel(h, "3.10.0-1160.el7.x86_64") }, []item.Reason{"KernelTooOld"}, []string{"3.10.0-1160.el7.x86_64 is older than 4.19.57"}},
		"version 1":           {func(h *fake.Host) { h.SetProc("/proc/1/mounts", legacyMounts) }, []item.Reason{"CgroupLegacy"}, []string{"cgroup v1", "systemd.unified_cgroup_hierarchy=1"}},
		"both versions":       {func(h *fake.Host) { h.SetProc("/proc/1/mounts", hybridMounts) }, []item.Reason{"CgroupLegacy"}, []string{"cgroup hybrid", "systemd.unified_cgroup_hierarchy=1"}},
		"version 1 of OpenRC": {func(h *fake.Host) { h.SetProc("/proc/1/mounts", legacyMounts); h.PutFile("/etc/rc.conf", "") }, []item.Reason{"CgroupLegacy"}, []string{`rc_cgroup_mode="unified"`}},
		"no control groups":   {func(h *fake.Host) { h.SetProc("/proc/1/mounts", "proc /proc proc rw 0 0\n") }, []item.Reason{"CgroupNotMounted"}, nil},
		"a controller less": {func(h *fake.Host) { h.SetProc("/sys/fs/cgroup/cgroup.controllers", "cpu pids\n") },
			[]item.Reason{"CgroupControllersMissing"}, []string{"without memory", "cgroup_disable="}},
		"all at once":                      {func(h *fake.Host) { setKernel(h, "4.19.56"); h.SetProc("/proc/1/mounts", legacyMounts) }, []item.Reason{"KernelTooOld", "CgroupLegacy"}, nil},
		"a kernel that cannot be made out": {place: func(h *fake.Host) { setKernel(h, "garbage") }},
	} {
		h := kubernetesHost()
		c.place(h)
		err := open(t, h).CheckFloor(t.Context())
		var text string
		for i, r := range refusals(err) {
			text += r.Error() + " " + r.Fix + " "
			if i >= len(c.reasons) || r.Reason != c.reasons[i] {
				t.Errorf("%s: %s", name, r.Reason)
			}
		}
		if n := len(refusals(err)); n != len(c.reasons) || (err == nil) != (n == 0) {
			t.Errorf("%s: %v", name, err)
		}
		for _, word := range c.words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: %q does not say %q", name, text, word)
			}
		}
	}
}

func setKernel(h *fake.Host, release string) {
	h.SetDefault("kernel/osrelease", release)
	h.Reboot()
}

func refusals(err error) []*hostops.RefusedError {
	var out []*hostops.RefusedError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			var r *hostops.RefusedError
			if errors.As(e, &r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func TestUpRefusesAKernelOnWhichNothingIsPromised(t *testing.T) {
	h := fake.New()
	setKernel(h, "4.14.336-257.562.amzn2.x86_64")
	before := h.Mutations()
	_, err := open(t, h).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
	_, planned := open(t, h).Plan(t.Context(), site(t, swappiness))
	for who, err := range map[string]error{"up": err, "plan": planned} {
		var refused *hostops.RefusedError
		if !errors.As(err, &refused) || refused.Reason != "KernelTooOld" || refused.Fix == "" {
			t.Errorf("%s: %v", who, err)
		}
	}
	if h.Mutations() != before {
		t.Error("the host was touched")
	}
	setKernel(h, "4.18.0-553.el8_10.x86_64")
	up(t, h, swappiness)
}

// Nothing that Up sets depends on control groups, and the reboot that they need may come
// after it.
func TestUpTellsOfControlGroupsAndGoesOn(t *testing.T) {
	h := kubernetesHost()
	h.SetProc("/proc/1/mounts", hybridMounts)
	host := open(t, h)
	if w := host.FloorWarnings(builtinProfiles(t, "kubernetes")); len(w) != 1 || w[0].Reason != "CgroupLegacy" || w[0].Fix == "" {
		t.Errorf("%+v", w)
	}
	if w := host.FloorWarnings(site(t, swappiness)); len(w) > 0 {
		t.Errorf("without Kubernetes: %+v", w)
	}
	if _, err := host.Up(t.Context(), builtinProfiles(t, "kubernetes"), hostops.UpOptions{}); err != nil {
		t.Error(err)
	}
}

func TestWhatTheKernelWasBuiltWithoutIsNamed(t *testing.T) {
	const file = "/boot/config-6.12.74+deb13+1-amd64"
	all := "CONFIG_NAMESPACES=y\nCONFIG_NET_NS=y\nCONFIG_PID_NS=y\nCONFIG_IPC_NS=y\nCONFIG_UTS_NS=y\nCONFIG_CGROUPS=y\nCONFIG_VETH=m\nCONFIG_SECCOMP_FILTER=y\n" +
		"CONFIG_MEMCG=y\nCONFIG_CPUSETS=y\nCONFIG_CGROUP_PIDS=y\nCONFIG_CGROUP_SCHED=y\nCONFIG_FAIR_GROUP_SCHED=y\nCONFIG_CFS_BANDWIDTH=y\nCONFIG_CGROUP_BPF=y\nCONFIG_OVERLAY_FS=m\n" +
		"CONFIG_BPF=y\nCONFIG_BPF_SYSCALL=y\nCONFIG_BPF_JIT=y\nCONFIG_NET_CLS_BPF=m\nCONFIG_NET_CLS_ACT=y\nCONFIG_NET_SCH_INGRESS=m\nCONFIG_CRYPTO_USER_API_HASH=m\nCONFIG_PERF_EVENTS=y\nCONFIG_SCHEDSTATS=y\nCONFIG_VXLAN=m\n"
	h := kubernetesHost()
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "floor.options", ""); r.Outcome != hostops.CheckInfo {
		t.Errorf("where nothing can be read: %+v", r)
	}
	h.PutFile(file, all)
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "floor.options", file); r.Outcome != hostops.CheckOK {
		t.Errorf("%+v", r)
	}
	h.PutFile(file, strings.NewReplacer("CONFIG_BPF_JIT=y", "# CONFIG_BPF_JIT is not set", "CONFIG_CFS_BANDWIDTH=y", "").Replace(all))
	results := checked(t, h, builtinProfiles(t, "kubernetes"))
	for _, text := range []string{"CONFIG_BPF_JIT, for Cilium", "CONFIG_CFS_BANDWIDTH, for limits of pods"} {
		if r := oneCheck(t, results, "floor.options", text); r.Outcome != hostops.CheckWarn || r.Required || r.File != file {
			t.Errorf("%+v", r)
		}
	}
	if len(checksOf(checked(t, h, site(t, swappiness)), "floor.options", "")) > 0 {
		t.Error("told on a host without Kubernetes")
	}
}
