package hostops_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

func TestPrereqsFailForWhatAKubeletNeeds(t *testing.T) {
	h := fake.New()
	o := hostops.PrereqOptions{Profiles: builtinProfiles(t, "kubernetes", "kubelet-defaults")}
	if _, err := open(t, h).Prereqs(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if v, _ := h.Sysctl("kernel/panic"); v != "10" {
		t.Errorf("kernel.panic is %s", v)
	}
	_ = h.SetSysctl("kernel/panic", "0")
	h.SetReadOnly("kernel/panic", true)
	report, err := open(t, h).Prereqs(t.Context(), hostops.PrereqOptions{})
	var unmet *hostops.UnmetError
	if !errors.As(err, &unmet) || len(unmet.Items) != 1 || unmet.Items[0].Key != "sysctl/kernel.panic" || report.Len() == 0 {
		t.Errorf("%v", err)
	}
	// What may be missing is no failure.
	h = fake.New()
	o.Profiles = site(t, "sysctls: [{name: vm.no_such_key, value: 1, ifMissing: Skip}], mounts: {bpffs: Mounted}")
	h.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Shared: true}, fake.Mount{Path: "/sys/fs/bpf", Filesystem: "tmpfs"})
	if _, err := open(t, h).Prereqs(t.Context(), o); err != nil {
		t.Error(err)
	}
}

func TestProfilesShareOneFileOfSysctlD(t *testing.T) {
	h := fake.New()
	names := open(t, h).ProfileSysctlFiles()
	before := tree(t, h.Start().Machine(), "/etc/sysctl.d", map[string]fs.FileMode{})
	up(t, h, swappiness)
	if _, err := open(t, h).Up(t.Context(), builtinProfiles(t, "kubernetes", "kubelet-defaults", "cilium"), hostops.UpOptions{}); err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for p := range tree(t, h.Start().Machine(), "/etc/sysctl.d", map[string]fs.FileMode{}) {
		if _, there := before[p]; !there {
			written[p] = true
		}
	}
	if len(names) != 1 || names[0] != paths.SysctlDropIn || len(written) != 1 || !written[names[0]] {
		t.Errorf("promised %q, written %v", names, written)
	}
}

func TestAnAddressIsDetectedOrTakenFromTheEnvironment(t *testing.T) {
	h := fake.New()
	host := func(environment string) *hostops.Host {
		o, err := hostops.Open(t.Context(), hostops.Options{Root: "/", Machine: h.Machine(), NodeIP: hostops.NodeIPOptions{Environment: environment}})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	var none *nodeip.DetectionError
	if ip, err := host("").NodeIPs(t.Context(), false); !errors.As(err, &none) || ip != "" {
		t.Errorf("%q, %v", ip, err)
	}
	h.AddIP("eth0", "192.0.2.17/24")
	h.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	before := h.Mutations()
	if ip, err := host("").DetectNodeIPs(t.Context(), false); err != nil || ip != "192.0.2.17" {
		t.Errorf("%q, %v", ip, err)
	}
	if ip, err := host("").NodeIPs(t.Context(), true); !errors.As(err, &none) {
		t.Errorf("half a pair: %q, %v", ip, err)
	}
	h.AddIP("eth0", "2001:db8::17/64")
	if ip, err := host("").NodeIPs(t.Context(), true); err != nil || ip != "192.0.2.17,2001:db8::17" {
		t.Errorf("%q, %v", ip, err)
	}
	const named = "10.9.8.7,2001:db8::9" // is on no interface: not ours to judge
	if ip, err := host(named).NodeIPs(t.Context(), true); err != nil || ip != named {
		t.Errorf("%q, %v", ip, err)
	}
	if ip, err := host(named).DetectNodeIPs(t.Context(), false); err != nil || ip != "192.0.2.17" {
		t.Errorf("%q, %v", ip, err)
	}
	if h.Mutations() != before {
		t.Error("the host was changed")
	}
}
