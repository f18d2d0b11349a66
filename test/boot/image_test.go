package boot_test

import "strings"

const (
	treeSite = "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\n" +
		"spec: {nodeSelector: {}, sysctls: [" + forward + ", {name: \"net.ipv4.conf.lxc*.rp_filter\", value: 0}], " +
		"directories: [{path: /opt/cni/bin}], firewalld: {trustedInterfaces: [lxc0]}}\n"

	// tree is where the file system of the container is once more: that of an image. Builders
	// mount /proc, /sys and /run of the host there as well, and so it is here.
	tree = "/mnt/tree"
	// onBuilder runs a program of /srv on another host, which has the tree at /tree: bootstrap
	// takes no tree that is the host that it runs on.
	onBuilder = "mkdir -p " + tree + " && unshare --mount --propagation private sh -ec 'cd " + tree + "; mount -t tmpfs builder .; cd " + tree + "; " +
		"mkdir dev proc sys run srv tree; mount --rbind /dev dev; mount -t proc proc proc; cp /srv/* srv; mount --rbind / tree; exec chroot . \"$@\"' sh "
	// inTree runs a line of shell where the tree is mounted.
	inTree = "mkdir -p " + tree + " && unshare --mount --propagation private sh -ec 'mount --rbind / " + tree + "; exec \"$@\"' sh "
	// listed is all of the tree, but for what others write while the container runs, and the
	// copies that firewalld keeps of what it changes.
	listed = "cd " + tree + ` && find . -xdev \( -path ./var/log -o -path ./var/lib/systemd -o -path ./tmp -o -path ./var/tmp -o -path ./root -o -path ./var/cache \) -prune -o ` +
		`! -name "*.old" ! -name "*.pyc" ! -name "__pycache__" \( -type f -printf "%p %m %U:%G " -exec sha256sum {} \; -o -type l -printf "%p -> %l\n" -o -type d -printf "%p %m %U:%G\n" \) | sort`
)

// containerIsAnImage prepares the file system of the container as that of an image, and boots
// it as its first clone.
func containerIsAnImage(n *node) {
	n.write(file, treeSite)
	was := n.sh("cat /proc/sys/net/ipv4/ip_forward")
	if was == "1" {
		n.t.Fatal("it forwards already")
	}
	before := n.listTree()
	n.prepareTree(was)
	n.bootsAsAClone(was, before)
	if said := n.bootstrap(0, "up --image -f "+file); !strings.Contains(said, "Prepared; at first boot: 2 sysctls.") {
		n.t.Errorf("up --image says: %s", said)
	}
	n.isPrepared(was)
	n.bootsAsAClone(was, before)
}

// isPrepared holds a host that runs against one on which nothing live was changed, and
// nothing of it was recorded.
func (n *node) isPrepared(forwarding string) {
	n.t.Helper()
	n.is("cat /proc/sys/net/ipv4/ip_forward", forwarding)
	n.sh("! firewall-cmd --zone=trusted --query-interface=lxc0")
	n.sh("! systemctl is-active hostprofile")
	n.sh("! grep -r -e $(cat /etc/machine-id) -e $(cat /proc/sys/kernel/random/boot_id) /var/lib/hostprofile")
}

// bootsAsAClone boots what was prepared, and gives it back.
func (n *node) bootsAsAClone(forwarding, before string) {
	n.t.Helper()
	n.reboot()
	n.mustHaveSeen("net/ipv4/ip_forward = 1")
	n.is("systemctl is-active hostprofile", "active")
	n.is("systemctl is-enabled hostprofile", "enabled")
	n.sh("firewall-cmd --zone=trusted --query-interface=lxc0")
	if said := n.bootstrap(0, "status"); !strings.Contains(said, "Ready.") {
		n.t.Errorf("status says: %s", said)
	}
	n.sh("grep -q $(cat /etc/machine-id) /var/lib/hostprofile/ledger.json")
	n.bootstrap(0, "down --yes --purge")
	n.bootstrap(0, "status --expect-clean")
	n.reboot()
	n.is("cat /proc/sys/net/ipv4/ip_forward", forwarding)
	n.sh("systemctl stop kubelet && rm -r " + seen) // as the next story wants it
	n.sh("! firewall-cmd --zone=trusted --query-interface=lxc0")
	if after := n.listTree(); after != before {
		n.t.Errorf("after down the tree differs:\n%s", differing(before, after))
	}
}

// prepareTree runs up on the tree, twice.
func (n *node) prepareTree(forwarding string) {
	n.t.Helper()
	up := onBuilder + remote + " up --root /tree -f " + file
	if said := n.sh(up); !strings.Contains(said, "Prepared; at first boot: 2 sysctls.") {
		n.t.Errorf("up says: %s", said)
	}
	if said := n.sh(up); !strings.HasPrefix(said, "Nothing to do") {
		n.t.Errorf("the second up says: %s", said)
	}
	n.sh(onBuilder + remote + " plan --exit-code --root /tree")
	n.sh("! ls -d /run/hostprofile")
	n.isPrepared(forwarding)
}

func (n *node) listTree() string {
	n.t.Helper()
	return n.sh(inTree + "sh -c '" + listed + "'")
}

// differing are the lines that only one of two texts has.
func differing(a, b string) string {
	var out strings.Builder
	for _, side := range []struct{ sign, text, other string }{{"-", a, b}, {"+", b, a}} {
		for line := range strings.Lines(side.text) {
			if !strings.Contains(side.other, line) {
				out.WriteString(side.sign + line)
			}
		}
	}
	return out.String()
}
