package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// kubernetesNode is a host that has what the kubelet needs.
func kubernetesNode(t *testing.T, options ...fake.Option) *world {
	t.Helper()
	w := newWorld(t, options...)
	w.host.SetProc("/proc/1/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
	w.host.SetProc("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n")
	w.host.PutFile("/etc/fstab", "/dev/sda1 / ext4 defaults 0 1\n/dev/sda2 none swap sw 0 0\n")
	w.host.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 2 << 30, Priority: -2})
	return w
}

func TestCheckPassesBeforeTheFirstInstallation(t *testing.T) {
	w := kubernetesNode(t)
	flags := []string{"--profile", "kubernetes", "--profile", "cilium", "--profile", "cis"}
	golden(t, "check.txt", w.must(0, with("check", flags...)...))
	golden(t, "check.json", w.must(0, with("check", append(flags, "-o", "json")...)...))
	golden(t, "check-none.txt", w.must(0, "check"))
}

func TestCheckFailsForWhatUpCannotMend(t *testing.T) {
	w := kubernetesNode(t)
	w.host.PutFile("/etc/modprobe.d/cis.conf", "install overlay /bin/false\n")
	site := w.file("site.yaml", strings.ReplaceAll(profileWith("{name: vm.overcommit_memory, value: 0}\n    - {name: vm.no_such_key, value: 1}"), "name: bad", "name: site"))
	flags := []string{"--profile", "kubernetes", "--profile", "cis", "-f", site}
	golden(t, "check-fails.txt", w.must(1, with("check", flags...)...))
	golden(t, "check-fails.json", w.must(1, with("check", append(flags, "-o", "json")...)...))
	if a := w.must(1, with("check", append(flags, "-q")...)...); strings.Contains(a.stdout, "ok ") {
		t.Errorf("not quiet:\n%s", a.stdout)
	}
}

func TestCheckOfAPreparedHostLooksAtWhatWasApplied(t *testing.T) {
	w := kubernetesNode(t)
	w.must(0, "up", "--profile", "kubernetes")
	if a := w.must(0, "check"); !strings.Contains(a.stdout, "loaded") || strings.Contains(a.stdout, "No profile was named") {
		t.Errorf("%s", a.stdout)
	}
}

// A host on which a lot is in the way: each thing is told with its place and its cure.
func TestCheckTellsWhatSurprisesLater(t *testing.T) {
	w := kubernetesNode(t, fake.Link("lxc123"))
	h := w.host
	h.SetDefault("kernel/hostname", "My_Host")
	h.SetDefault("kernel/osrelease", "4.18.0-553.el8_10.x86_64")
	h.Reboot()
	_ = h.SetSysctl("net/ipv4/conf/lxc123/rp_filter", "2")
	h.SetProc("/proc/1/mounts", "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n")
	h.PutFile("/boot/config-4.18.0-553.el8_10.x86_64", "CONFIG_BPF=y\n")
	h.PutFile("/etc/cloud/cloud.cfg", "swap:\n  filename: /swap.img\n")
	h.PutFile("/etc/tuned/active_profile", "throughput-performance\n")
	h.PutFile("/usr/lib/tuned/throughput-performance/tuned.conf", "[sysctl]\nfs.inotify.max_user_instances=1024\nkernel.panic=5\n")
	h.PutFile("/etc/rancher/rke2/config.yaml", "profile: cis\n")
	h.PutFile("/etc/passwd", "root:x:0:0::/root:/bin/sh\n")
	h.PutFile("/etc/sysctl.d/10-router.conf", "net.ipv4.ip_forward = 1\n")
	for _, unit := range []string{"NetworkManager", "systemd-networkd", "tuned"} {
		h.PutLink("/run/systemd/units/invocation:"+unit+".service", "1")
	}
	h.PutFile("/opt/cni", "")
	file := w.file("site.yaml", folders)
	flags := []string{"--profile", "kubernetes", "--profile", "cilium", "-f", file}
	golden(t, "check-trouble.txt", w.must(1, with("check", flags...)...))
	golden(t, "check-trouble.json", w.must(1, with("check", append(flags, "-o", "json")...)...))
}

// With --root, nothing of the host that runs is told as the tree's.
func TestCheckOfATree(t *testing.T) {
	w := kubernetesNode(t)
	w.host.PutFile("/etc/hostname", "image-7\n")
	w.host.PutFile("/etc/sysctl.d/zzz.conf", "net.ipv4.ip_forward = 0\n")
	golden(t, "check-tree.txt", w.must(0, "check", "--root", "/mnt/image", "--profile", "kubernetes"))
}

func TestUpRefusesAnOldKernelAndTellsOfControlGroups(t *testing.T) {
	w := kubernetesNode(t)
	w.host.SetProc("/proc/1/mounts", "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n")
	a := w.must(0, "up", "--profile", "kubernetes", "-o", "json")
	warned := a.document(t)["warnings"].([]any)
	if len(warned) == 0 || warned[0].(map[string]any)["reason"] != "CgroupLegacy" {
		t.Errorf("%v", warned)
	}
	w = kubernetesNode(t)
	w.host.SetDefault("kernel/osrelease", "4.14.336-257.562.amzn2.x86_64")
	w.host.Reboot()
	before := w.host.Mutations()
	a = w.must(3, "up", "--profile", "kubernetes")
	if !strings.Contains(a.stderr, "4.14.336-257.562.amzn2.x86_64 is older than 4.19.57") || !strings.Contains(a.stderr, "5.10 or later") || w.host.Mutations() != before {
		t.Errorf("%s", a.stderr)
	}
}
