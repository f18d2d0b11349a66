package vm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// The host of these stories has settings that the kernel itself changes when the host
// starts or stops to forward: one against its default, and one interface that forwards
// although the host does not.
const (
	redirects  = "net/ipv4/conf/all/accept_redirects"
	forwarding = "net/ipv4/conf/eth0/forwarding"
)

// forwardOnly is a profile whose one setting makes the kernel change many others.
const forwardOnly = "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: forward}\nspec:\n" +
	"  nodeSelector: {}\n  sysctls:\n    - {name: net.ipv4.ip_forward, value: 1}\n"

// named are profiles that name every key, none by a pattern.
var named = []string{"--profile", "kubernetes", "--profile", "kubelet-defaults", "-f", namedFile}

const (
	namedFile   = "/srv/named.yaml"
	forwardFile = "/srv/forward.yaml"
	adminFile   = "/etc/sysctl.d/50-admin.conf"
)

// TestGivingBack tells that down gives back what was there before up, with what the
// kernel had changed on its own, over reboots.
func TestGivingBack(t *testing.T) {
	t.Parallel() // each has a machine of one processor
	n := start(t, testbed.VMOptions{SwapDisk: 128})
	n.write(forwardFile, forwardOnly)
	n.sh("grep -v 'eth[*]' " + siteFile + " >" + namedFile)
	n.sh("modprobe -a br_netfilter overlay nf_conntrack")
	clean := n.snapshot()
	n.story("what an admin has set live", func(n *node) {
		n.setLive()
		before := n.snapshot()
		n.givesBack(before, "-f", forwardFile)
		n.givesBack(before, everything...)
	})
	n.story("what an admin has set live is gone after a reboot", func(n *node) { liveThenReboot(n, clean) })
	n.story("what an admin's file sets, with a reboot in between", adminsFile)
}

func (n *node) setLive() {
	n.t.Helper()
	n.sh("echo 0 >/proc/sys/" + redirects + "; echo 1 >/proc/sys/" + forwarding)
}

// givesBack plays up and down. What the profiles change shows that the comparison sees.
func (n *node) givesBack(before snapshot.Snapshot, args ...string) {
	n.t.Helper()
	n.bootstrap(0, with("up", args...)...)
	n.mustBe("net/ipv4/ip_forward", "1")
	if seen := snapshot.Diff(before, n.snapshot()); len(seen) < 5 {
		n.t.Errorf("up changed only %q", seen)
	}
	n.down()
	n.asBefore(before)
}

// hidden are the keys whose value in a boot without us nobody can know in the boot after
// up: our file set them. Two may have the last value that was not ours, and what our
// pattern set at boot, which dies with the boot, is taken for somebody else's.
var hidden = []string{redirects, forwarding, "net/ipv4/conf/eth0/send_redirects"}

// liveThenReboot: a boot without us would have given the clean host, and the next boot
// does.
func liveThenReboot(n *node, clean snapshot.Snapshot) {
	n.setLive()
	n.up()
	n.reboot()
	n.down()
	for _, line := range snapshot.NotGivenBack(clean, n.snapshot()) {
		if !slices.ContainsFunc(hidden, func(k string) bool { return strings.HasPrefix(line, "~ sysctl "+dotted(k)+": ") }) {
			n.t.Errorf("not as before: %s", line)
		} else {
			n.t.Logf("hidden by our boot file in this boot: %s", line)
		}
	}
	n.reboot()
	n.sh("modprobe -a br_netfilter overlay nf_conntrack")
	n.asBefore(clean)
}

func adminsFile(n *node) {
	n.write(adminFile, dotted(redirects)+" = 0\n"+dotted(forwarding)+" = 1\n")
	n.setLive()
	before := n.snapshot()
	n.bootstrap(0, with("up", named...)...)
	n.reboot()
	n.down()
	n.asBefore(before)

	n.bootstrap(0, with("up", named...)...)
	n.reboot()
	if again := n.bootstrap(0, "up"); strings.Contains(again.Stdout, "FAILED") {
		n.t.Errorf("after the reboot: %s", again.Stdout)
	}
	n.down()
	n.asBefore(before)
}
