package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// running lets systemd say that it runs a unit.
func running(h *fake.Host, unit string) {
	h.PutLink("/run/systemd/units/invocation:"+unit, "0123456789abcdef0123456789abcdef")
}

func TestWhatTunedSetsAgainstUsIsNamed(t *testing.T) {
	h := kubernetesHost()
	running(h, "tuned.service")
	h.PutFile("/etc/tuned/active_profile", "throughput-performance\n")
	h.PutFile("/usr/lib/tuned/throughput-performance/tuned.conf",
		"[sysctl]\nnet.ipv4.ip_forward=0\nfs.inotify.max_user_instances=1024\nfs.inotify.max_user_watches=>1000\nvm.swappiness=10\n")
	results := checked(t, h, builtinProfiles(t, "kubernetes"))
	if r := oneCheck(t, results, "tuned", "is active"); r.Outcome != hostops.CheckInfo || !strings.Contains(r.Message, "sets 2 of our settings") || !strings.Contains(r.Message, "reapply_sysctl") {
		t.Errorf("%+v", r)
	}
	if r := oneCheck(t, results, "tuned", "ip_forward"); r.Outcome != hostops.CheckInfo || r.Line != 2 || !strings.Contains(r.Message, "ours") && !strings.Contains(r.Message, "our file is read after it") {
		t.Errorf("%+v", r)
	}
	// A bound is not in our file: nothing sets it again after TuneD.
	if r := oneCheck(t, results, "tuned", "max_user_instances"); r.Outcome != hostops.CheckWarn || r.Fix == "" || !strings.Contains(r.Message, "want at least 8192") {
		t.Errorf("%+v", r)
	}
	h.PutFile("/etc/tuned/tuned-main.conf", "reapply_sysctl = 0\n")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "tuned", "ip_forward"); r.Outcome != hostops.CheckWarn {
		t.Errorf("%+v", r)
	}
	h.Delete("/etc/tuned/active_profile")
	if found := checksOf(checked(t, h, builtinProfiles(t, "kubernetes")), "tuned", ""); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

func TestNetworkManagerIsToldToLeaveCiliumAlone(t *testing.T) {
	h := kubernetesHost()
	profiles := builtinProfiles(t, "kubernetes", "cilium")
	if found := checksOf(checked(t, h, profiles), "networkmanager", ""); len(found) > 0 {
		t.Errorf("where it does not run: %+v", found)
	}
	running(h, "NetworkManager.service")
	if r := oneCheck(t, checked(t, h, profiles), "networkmanager", ""); r.Outcome != hostops.CheckWarn || !strings.Contains(r.Fix, "unmanaged-devices=interface-name:cilium_*;interface-name:lxc*") {
		t.Errorf("%+v", r)
	}
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "networkmanager", ""); r.Outcome != hostops.CheckInfo {
		t.Errorf("without Cilium: %+v", r)
	}
	h.PutFile("/etc/NetworkManager/conf.d/x.conf", "[keyfile]\nunmanaged-devices=interface-name:cilium*\n")
	if r := oneCheck(t, checked(t, h, profiles), "networkmanager", ""); r.Outcome != hostops.CheckWarn {
		t.Errorf("half of it: %+v", r)
	}
	h.PutFile("/usr/lib/NetworkManager/conf.d/y.conf", "[keyfile]\nunmanaged-devices += mac:00:22:68:1c:59:b1, interface-name:lxc*\n")
	if r := oneCheck(t, checked(t, h, profiles), "networkmanager", ""); r.Outcome != hostops.CheckOK {
		t.Errorf("%+v", r)
	}
}

func TestTheFilterOnInterfacesOfCiliumIsNamed(t *testing.T) {
	h := kubernetesHost(fake.Link("lxc123"), fake.Link("cilium_host"), fake.Link("lxcbr0"))
	for _, link := range []string{"lxc123", "lxcbr0", "eth0"} {
		_ = h.SetSysctl("net/ipv4/conf/"+link+"/rp_filter", "2")
	}
	results := checked(t, h, builtinProfiles(t, "kubernetes"))
	if r := oneCheck(t, results, "rp_filter", ""); r.Outcome != hostops.CheckWarn || !strings.Contains(r.Message, "lxc123.rp_filter is 2") || r.MendedByUp || !strings.Contains(r.Fix, "--profile cilium") {
		t.Errorf("%+v", r)
	}
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "cilium")), "rp_filter", ""); !r.MendedByUp {
		t.Errorf("%+v", r)
	}
	_ = h.SetSysctl("net/ipv4/conf/lxc123/rp_filter", "0")
	if r := oneCheck(t, checked(t, h, builtinProfiles(t, "cilium")), "rp_filter", ""); r.Outcome != hostops.CheckOK {
		t.Errorf("%+v", r)
	}
	_ = h.SetSysctl("net/ipv4/conf/all/rp_filter", "1")
	for _, r := range checksOf(checked(t, h, builtinProfiles(t, "cilium")), "rp_filter", "") {
		if r.Outcome != hostops.CheckWarn || r.Reason != "MaskedByAll" {
			t.Errorf("%+v", r)
		}
	}
}

func TestAValueThatWasSetAfterItsFileIsNamed(t *testing.T) {
	h := kubernetesHost()
	h.PutFile("/etc/sysctl.d/10-router.conf", "\nnet.ipv4.ip_forward = 1\n")
	h.Reboot()
	profiles := builtinProfiles(t, "kubernetes")
	if found := checksOf(checked(t, h, profiles), "sysctls.live", ""); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	_ = h.SetSysctl("net/ipv4/ip_forward", "0")
	running(h, "systemd-networkd.service")
	r := oneCheck(t, checked(t, h, profiles), "sysctls.live", "")
	if r.File != "/etc/sysctl.d/10-router.conf" || r.Line != 2 || !r.MendedByUp || !strings.Contains(r.Message, "net.ipv4.ip_forward is 0") || !strings.Contains(r.Message, "systemd-networkd") {
		t.Errorf("%+v", r)
	}
}

func TestTheNameOfTheHostIsToldBeforeItJoins(t *testing.T) {
	for _, c := range []struct {
		name    string
		place   func(*fake.Host)
		outcome hostops.CheckOutcome
		reason  item.Reason
		word    string
	}{
		{name: "node-1", outcome: hostops.CheckOK, word: "node-1"},
		{name: "Node1", outcome: hostops.CheckWarn, word: "its node is node1"},
		{name: "my_host", outcome: hostops.CheckFail, reason: "HostnameInvalid", word: "my_host"},
		{name: "localhost", outcome: hostops.CheckFail, reason: "HostnameMissing", word: "localhost"},
		{name: "my_host", place: func(h *fake.Host) {
			h.PutFile("/etc/default/kubelet", "KUBELET_EXTRA_ARGS=\"--hostname-override=my-host\"\n")
		}, outcome: hostops.CheckOK, word: "/etc/default/kubelet gives"},
		{name: "my_host", place: func(h *fake.Host) { h.PutFile("/etc/rancher/rke2/config.yaml", "node-name: node-7\n") }, outcome: hostops.CheckOK, word: "node-7"},
		{name: "node1", place: func(h *fake.Host) {
			h.PutFile("/proc/77/cmdline", "/usr/bin/kubelet\x00--hostname-override\x00A_b\x00")
		}, outcome: hostops.CheckFail, reason: "HostnameInvalid", word: "A_b"},
	} {
		h := kubernetesHost()
		h.SetDefault("kernel/hostname", c.name)
		h.Reboot()
		if c.place != nil {
			c.place(h)
		}
		r := oneCheck(t, checked(t, h, builtinProfiles(t, "kubernetes")), "hostname", c.word)
		if r.Outcome != c.outcome || r.Reason != c.reason || r.Stops() != (c.outcome == hostops.CheckFail) {
			t.Errorf("%s: %+v", c.name, r)
		}
		if anyStops(checked(t, h, site(t, swappiness))) {
			t.Errorf("%s: required on a host without Kubernetes", c.name)
		}
	}
}
