package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestTheAddressOfTheNodeIsToldWithTheOthers(t *testing.T) {
	h := kubernetesHost()
	h.AddIP("eth0", "192.0.2.17/24")
	h.AddIP("eth0", "192.0.2.2/32")
	h.AddLink("eth1")
	h.AddIP("eth1", "198.51.100.4/24")
	h.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	for _, results := range [][]hostops.CheckResult{
		checked(t, h, builtinProfiles(t, "kubernetes")),
		checked(t, h, append(builtinProfiles(t, "kubernetes"), siteProfile(t, "nodeIP: {waitSeconds: 0}")...)),
	} {
		oneCheck(t, results, "node-ip", "192.0.2.17 on eth0, ")
		oneCheck(t, results, "node-ip", "not 198.51.100.4 on eth1: ")
		oneCheck(t, results, "node-ip", "not 192.0.2.2 on eth0: ")
		if anyStops(results) {
			t.Errorf("%+v", results)
		}
	}
	if found := checksOf(checked(t, h, nil), "node-ip", ""); len(found) > 0 {
		t.Errorf("on a host without Kubernetes: %+v", found)
	}
}

func TestDirectoriesThatCannotBeHadAreNamed(t *testing.T) {
	h := kubernetesHost()
	h.PutFile("/opt/cni", "")
	results := checked(t, h, append(builtinProfiles(t, "kubernetes"), siteProfile(t, "directories: [{path: /opt/cni/bin}]")...))
	if r := oneCheck(t, results, "directories", "would be made"); r.Outcome != hostops.CheckOK || !strings.HasPrefix(r.Message, "2 would") {
		t.Errorf("%+v", r)
	}
	if r := oneCheck(t, results, "directories", "/opt/cni/bin: /opt/cni is there"); !r.Stops() || r.File != "/opt/cni" {
		t.Errorf("%+v", r)
	}
}

func TestMountsThatCannotBeHadAreNamed(t *testing.T) {
	h := kubernetesHost()
	h.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true}, fake.Mount{Path: "/sys", Filesystem: "sysfs", Entries: true})
	want := siteProfile(t, "mounts: {bpffs: Mounted, rootPropagation: Shared}")
	if r := oneCheck(t, checked(t, h, want), "mounts", ""); r.Outcome != hostops.CheckOK || r.Message != "2 would be made or changed" {
		t.Errorf("%+v", r)
	}
	h.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true}, fake.Mount{Path: "/sys", Filesystem: "sysfs", Entries: true},
		fake.Mount{Path: "/sys/fs/bpf", Filesystem: "tmpfs"})
	if r := oneCheck(t, checked(t, h, want), "mounts", "tmpfs"); r.Outcome != hostops.CheckWarn || r.Stops() || r.Reason != "UnexpectedFilesystem" {
		t.Errorf("%+v", r)
	}
}
