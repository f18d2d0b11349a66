package host_test

import (
	"strings"
	"testing"
)

const (
	forward = "{name: net.ipv4.ip_forward, value: 1}"
	timeout = "{name: net.ipv4.tcp_fin_timeout, value: 31}"
)

func TestOnlyRootMayChangeTheHost(t *testing.T) {
	b := newBox(t)
	b.write("/run/test/site.yaml", site(forward))
	for _, args := range [][]string{{"up", "-f", "/run/test/site.yaml"}, {"down", "--yes"}} {
		r := b.run(append([]string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", remote}, args...)...)
		if r.ExitCode != 77 || !strings.Contains(r.Stderr, "sudo") {
			t.Errorf("%v ended with %d: %s%s", args, r.ExitCode, r.Stdout, r.Stderr)
		}
	}
	b.mustBe("net/ipv4/ip_forward", "0")
	b.leavesNothing()
}

// leavesNothing wants no file of ours.
func (b *box) leavesNothing() {
	b.t.Helper()
	if found := b.sh("find /etc /var/lib /run -xdev -name '*hostprofile*'"); found != "" {
		b.t.Errorf("there is %s", found)
	}
}

func TestSettingsAreLiveWhereEtcIsReadOnly(t *testing.T) {
	b := newBox(t)
	b.sh("mount --bind /etc /etc && mount -o remount,bind,ro /etc")
	d := b.up(0, forward, timeout)
	b.mustBe("net/ipv4/ip_forward", "1")
	b.mustBe("net/ipv4/tcp_fin_timeout", "31")
	tells(t, d.Warnings, "ReadOnlyEtc", dropIn)
	said := b.bootstrap(0, "up").Stdout
	if !strings.Contains(said, "ReadOnlyEtc") {
		t.Errorf("the second run does not say it again: %s", said)
	}
	b.sh("umount /etc")
	b.bootstrap(0, "up")
	if !strings.Contains(b.sh("cat "+dropIn), "net.ipv4.ip_forward = 1") {
		t.Error("once /etc can be written, the file is not there")
	}
	b.bootstrap(0, "down", "--yes", "--purge")
	b.mustBe("net/ipv4/ip_forward", "0")
	b.leavesNothing()
}

func TestALinkInThePlaceOfTheDropInIsNotFollowed(t *testing.T) {
	b := newBox(t)
	link := func() {
		b.write("/run/test/target", "vm.swappiness = 1\n")
		b.sh("rm -f " + dropIn + "; ln -s /run/test/target " + dropIn)
	}
	stays := func() {
		t.Helper()
		if got := b.sh("cat /run/test/target; readlink " + dropIn); got != "vm.swappiness = 1\n/run/test/target" {
			t.Errorf("the link or its target changed: %s", got)
		}
	}
	link()
	tells(t, b.up(1, forward).Errors, "UnexpectedFile", dropIn) // on a host without a record
	stays()
	b.mustBe("net/ipv4/ip_forward", "1")
	b.sh("rm " + dropIn)
	b.up(0, forward)
	link()
	tells(t, b.up(1, forward, timeout).Errors, "UnexpectedFile", dropIn)
	stays()
	b.mustBe("net/ipv4/tcp_fin_timeout", "31")
	b.sh("rm " + dropIn)
	b.bootstrap(0, "up")
	b.bootstrap(0, "down", "--yes", "--purge")
	b.mustBe("net/ipv4/ip_forward", "0")
	b.leavesNothing()
}

func TestAFullDiskForTheRecordChangesNothing(t *testing.T) {
	b := newBox(t)
	b.sh("mkdir -m 700 /var/lib/hostprofile && mount -t tmpfs -o size=64k,mode=700 full /var/lib/hostprofile")
	b.up(0, forward)
	before := b.state("/var/lib/hostprofile")
	b.fill("/var/lib/hostprofile")
	b.write("/run/test/site.yaml", site(forward, timeout))
	r := b.run(remote, "up", "-f", "/run/test/site.yaml")
	if said := r.Stdout + r.Stderr; r.ExitCode != 1 || !strings.Contains(said, "DiskFull") && !strings.Contains(said, "no space left") || !strings.Contains(said, "/var/lib/hostprofile") {
		t.Errorf("ended with %d: %s", r.ExitCode, said)
	}
	b.mustBe("net/ipv4/tcp_fin_timeout", "60")
	b.sh("rm /var/lib/hostprofile/filler")
	if after := b.state("/var/lib/hostprofile"); after != before {
		t.Errorf("it was\n%s\nit is\n%s", before, after)
	}
	b.bootstrap(0, "up", "-f", "/run/test/site.yaml")
	b.mustBe("net/ipv4/tcp_fin_timeout", "31")
	b.bootstrap(0, "down", "--yes")
	b.mustBe("net/ipv4/tcp_fin_timeout", "60")
	b.mustBe("net/ipv4/ip_forward", "0")
}

func TestAFullDiskForTheDropInKeepsTheOldOneWhole(t *testing.T) {
	b := newBox(t)
	b.sh("mount -t tmpfs -o size=64k,mode=755 full /etc/sysctl.d")
	b.up(0, forward)
	before := b.state("/etc/sysctl.d")
	b.fill("/etc/sysctl.d")
	d := b.up(1, forward, timeout)
	if len(d.Errors) == 0 || !strings.Contains(d.Errors[0].Object+d.Errors[0].Message, dropIn) {
		t.Errorf("errors %+v", d.Errors)
	}
	b.mustBe("net/ipv4/tcp_fin_timeout", "31") // what is wished is set live all the same
	b.sh("rm /etc/sysctl.d/filler")
	if after := b.state("/etc/sysctl.d"); after != before {
		t.Errorf("it was\n%s\nit is\n%s", before, after)
	}
	b.bootstrap(0, "up")
	if !strings.Contains(b.sh("cat "+dropIn), "tcp_fin_timeout = 31") {
		t.Error("with space again, the file does not list what is wished")
	}
	b.bootstrap(0, "down", "--yes")
	b.mustBe("net/ipv4/tcp_fin_timeout", "60")
}

// state is what a folder holds, byte for byte.
func (b *box) state(dir string) string {
	b.t.Helper()
	return b.sh("cd " + dir + " && find . -type f -printf '%p %m %i\\n' | sort && find . -type f | sort | xargs -r sha256sum")
}

// fill takes all space of a small file system.
func (b *box) fill(dir string) {
	b.t.Helper()
	b.sh("dd if=/dev/zero of=" + dir + "/filler bs=4096 2>/dev/null; test $(df --output=avail " + dir + " | tail -1) = 0")
}
