package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// Wherever a kubelet is told to protect the kernel's defaults, settings that nobody asks
// for keep it from starting again.
func TestAKubeletThatProtectsTheKernelsDefaultsIsFound(t *testing.T) {
	for place, put := range map[string]func(*fake.Host){
		"/var/lib/kubelet/config.yaml:3": func(h *fake.Host) {
			h.PutFile("/var/lib/kubelet/config.yaml", "kind: KubeletConfiguration\n# x\nprotectKernelDefaults: true\n")
		},
		"/etc/kubelet.yaml:1": func(h *fake.Host) {
			h.PutFile("/proc/77/cmdline", "/usr/bin/kubelet\x00--config=/etc/kubelet.yaml\x00")
			h.PutFile("/etc/kubelet.yaml", "protectKernelDefaults: true\n")
		},
		"the command line of kubelet, process 77": func(h *fake.Host) { h.PutFile("/proc/77/cmdline", "/usr/bin/kubelet\x00--protect-kernel-defaults\x00") },
		"/etc/default/kubelet:2": func(h *fake.Host) {
			h.PutFile("/etc/default/kubelet", "# --protect-kernel-defaults=true\nKUBELET_EXTRA_ARGS=--protect-kernel-defaults=true\n")
		},
		"/etc/rancher/k3s/config.yaml:2": func(h *fake.Host) {
			h.PutFile("/etc/rancher/k3s/config.yaml", "token: x\nprotect-kernel-defaults: true\n")
		},
		"/etc/rancher/k3s/config.yaml.d/10.yaml:3": func(h *fake.Host) {
			h.PutFile("/etc/rancher/k3s/config.yaml.d/10.yaml", "kubelet-arg:\n- a=b\n- protect-kernel-defaults=true\n")
		},
		"/etc/rancher/rke2/config.yaml:1": func(h *fake.Host) { h.PutFile("/etc/rancher/rke2/config.yaml", "profile: cis-1.23\n") },
	} {
		h := kubernetesHost()
		put(h)
		results := checked(t, h, builtinProfiles(t, "kubernetes"))
		if r := oneCheck(t, results, "kubelet", "settings of protectKernelDefaults"); !strings.HasSuffix(r.Message, "it is set by "+place) {
			t.Errorf("%s: %+v", place, r)
		}
		r := oneCheck(t, results, "kubelet", "vm.overcommit_memory is 0, and the kubelet accepts 1 only")
		if !r.Stops() || r.Reason != "KubeletWillFailAtRestart" || !strings.Contains(r.Fix, "--profile kubelet-defaults") {
			t.Errorf("%s: %+v", place, r)
		}
		if anyStops(checked(t, h, builtinProfiles(t, "kubernetes", "kubelet-defaults"))) {
			t.Errorf("%s: it stops although 'up' mends it", place)
		}
	}
	for _, off := range []func(*fake.Host){
		func(h *fake.Host) { h.PutFile("/var/lib/kubelet/config.yaml", "protectKernelDefaults: false\n") },
		func(h *fake.Host) { h.PutFile("/var/lib/kubelet/config.yaml", "{{ no YAML\n") },
		func(h *fake.Host) {
			h.PutFile("/etc/default/kubelet", "KUBELET_EXTRA_ARGS=--protect-kernel-defaults=false\n")
		},
		func(h *fake.Host) { h.PutFile("/etc/rancher/rke2/config.yaml", "profile: etcd\n") },
	} {
		h := kubernetesHost()
		off(h)
		if found := checksOf(checked(t, h, builtinProfiles(t, "kubernetes")), "kubelet", ""); len(found) > 0 {
			t.Errorf("%+v", found)
		}
	}
}

func TestWhatRKE2NeedsForItsBenchmarkIsTold(t *testing.T) {
	h := kubernetesHost()
	h.PutFile("/etc/passwd", "root:x:0:0::/root:/bin/sh\n")
	h.PutFile("/etc/group", "root:x:0:\netcd:x:990:\n")
	h.PutFile("/etc/rancher/rke2/config.yaml", "profile: cis\n")
	profiles := builtinProfiles(t, "kubernetes", "kubelet-defaults")
	if r := oneCheck(t, checked(t, h, profiles), "rke2", "user and group etcd"); r.Outcome != hostops.CheckWarn || r.Reason != "EtcdUserMissing" || !strings.HasPrefix(r.Fix, "useradd") || r.Line != 1 {
		t.Errorf("on a worker: %+v", r)
	}
	h.PutFile("/usr/lib/systemd/system/rke2-server.service", "")
	if r := oneCheck(t, checked(t, h, profiles), "rke2", "does not start"); !r.Stops() {
		t.Errorf("on a server: %+v", r)
	}
	h.PutFile("/etc/passwd", "root:x:0:0::/root:/bin/sh\netcd:x:990:990::/:/sbin/nologin\n")
	if r := oneCheck(t, checked(t, h, profiles), "rke2", "are there"); r.Outcome != hostops.CheckOK {
		t.Errorf("%+v", r)
	}
}
