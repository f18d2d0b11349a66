package vm_test

import (
	"os"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestHostsWithoutSystemd tells of hosts whose init mounts nothing for Cilium and shares
// nothing. The init scripts are those of the documentation.
func TestHostsWithoutSystemd(t *testing.T) {
	t.Parallel()
	for _, host := range []struct {
		kind           testbed.Kind
		script         string // the first line of it in the documentation
		enable, remove string
		cgroup         string // why the kubelet would not start
	}{
		{testbed.SysVinitKind, "#!/bin/sh", "update-rc.d hostprofile defaults", "update-rc.d hostprofile remove", "CgroupNotMounted"},
		{testbed.OpenRCKind, "#!/sbin/openrc-run", "rc-update add hostprofile default", "rc-update del hostprofile default", "CgroupLegacy"},
	} {
		t.Run(string(host.kind), func(t *testing.T) {
			t.Parallel()
			n := start(t, testbed.VMOptions{Kind: host.kind})
			n.sh("mkdir -p /usr/local/bin && cp " + remote + " /usr/local/bin/bootstrap")
			n.sh("modprobe -a overlay br_netfilter") // they stay, and bring settings
			before := n.snapshot()
			n.mountsAreBare()
			n.story("what the host lacks is named", func(n *node) { floorIsTold(n, host.cgroup) })
			n.story("the mounts are made, and nothing of systemd", mountsAreMade)
			n.story("the init script does it at the next boot", func(n *node) {
				n.write("/etc/init.d/hostprofile", documented(n.t, host.script))
				n.sh("chmod 755 /etc/init.d/hostprofile && " + host.enable)
				n.reboot()
				n.mountsAreThere()
				n.mustBe("net/ipv4/ip_forward", "1")
				n.bootstrap(0, "status")
			})
			n.story("a mount that goes is made again within seconds", mountComesBack)
			n.story("the script is taken out again", func(n *node) {
				n.sh("/etc/init.d/hostprofile stop && ! pgrep -x bootstrap")
				n.sh(host.remove + " && rm -f /etc/init.d/hostprofile /run/hostprofile.pid")
			})
			n.story("down gives it back", func(n *node) {
				n.down()
				n.mountsAreThere() // until the next boot
				n.asBefore(before)
				n.reboot()
				n.mountsAreBare()
			})
		})
	}
}

// documented returns the init script of the documentation with a first line.
func documented(t *testing.T, first string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```sh\n"+first+"\n")
	script, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("docs/install.md has no script that begins with %s", first)
	}
	return first + "\n" + script
}

// mounts are the optional fields of the first process's mounts on / and /sys/fs/bpf.
func (n *node) mounts() map[string]string {
	n.t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(n.sh("cat /proc/1/mountinfo")) {
		words := strings.Fields(line)
		end := 6
		for words[end] != "-" {
			end++
		}
		if _, twice := out[words[4]]; twice && words[4] == "/sys/fs/bpf" {
			n.t.Error("two mounts on /sys/fs/bpf")
		}
		out[words[4]] = strings.Join(words[6:end], " ") + " " + words[end+1]
	}
	return out
}

func (n *node) mountsAreBare() {
	n.t.Helper()
	m := n.mounts()
	if bpf, there := m["/sys/fs/bpf"]; there || strings.Contains(m["/"], "shared:") || strings.Contains(m["/"], "master:") {
		n.t.Fatalf("/ is %q, and /sys/fs/bpf %q", m["/"], bpf)
	}
}

func (n *node) mountsAreThere() {
	n.t.Helper()
	m := n.mounts()
	for path, kind := range map[string]string{"/": "ext4", "/sys/fs/bpf": "bpf", "/proc": "proc", "/sys": "sysfs"} {
		if !strings.Contains(m[path], "shared:") || !strings.HasSuffix(m[path], " "+kind) {
			n.t.Errorf("%s is %q, want a shared %s", path, m[path], kind)
		}
	}
}

func floorIsTold(n *node, reason string) {
	r := n.bootstrap(1, "check", "--profile", "kubernetes", "-o", "json")
	if !strings.Contains(r.Stdout, `"`+reason+`"`) {
		n.t.Errorf("the check does not say %s:\n%s", reason, r.Stdout)
	}
}

// mountComesBack: the program that stays reads the mounts every five seconds.
func mountComesBack(n *node) {
	n.sh("pgrep -fx '/usr/local/bin/bootstrap run' && umount /sys/fs/bpf")
	n.sh("for i in $(seq 60); do grep -q ' /sys/fs/bpf ' /proc/1/mountinfo && exit; sleep 1; done; exit 1")
	n.mountsAreThere()
}

func mountsAreMade(n *node) {
	n.bootstrap(0, "up", "--profile", "kubernetes")
	n.mountsAreThere()
	n.sh("! ls -d /etc/systemd/system/*hostprofile* /etc/systemd/system/*/*hostprofile* 2>/dev/null")
	d := n.document(0, "up")
	for _, i := range d.Items {
		if i.Outcome == "Changed" || i.Outcome == "Failed" {
			n.t.Errorf("the second run: %+v", i)
		}
	}
}
