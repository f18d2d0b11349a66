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
