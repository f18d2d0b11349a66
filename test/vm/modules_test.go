package vm_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestModulesAndSwap tells of what only a kernel of its own has.
func TestModulesAndSwap(t *testing.T) {
	t.Parallel()
	n := start(t, testbed.VMOptions{SwapDisk: 512})
	n.story("a forbidden module is named with its line, and a missing one may be skipped", forbiddenModule)
	n.story("swap that does not fit into memory stays on", fullSwap)
	n.story("a module and swap at the next boot", nextBoot)
}

func module(entries ...string) string {
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: modules}\nspec:\n  nodeSelector: {}\n  kernelModules:\n    - " +
		strings.Join(entries, "\n    - ") + "\n"
}

func forbiddenModule(n *node) {
	const (
		file   = "/srv/modules.yaml"
		forbid = "/etc/modprobe.d/site.conf"
	)
	n.write(forbid, "# the site's own rules\ninstall dummy /bin/false\n")
	n.write(file, module("{name: dummy}", "{name: no_such_module, ifMissing: Skip}", "{name: ext4}", "{name: ip_vs}"))
	if n.sh("grep -c /ext4.ko /lib/modules/*/modules.builtin") != "1" {
		n.t.Fatal("ext4 is no part of this kernel")
	}
	d := n.document(1, "up", "-f", file, "--no-unit")
	if len(d.Errors) != 1 || d.Errors[0].Reason != "ModuleBlacklisted" || d.Errors[0].File != forbid || d.Errors[0].Line != 2 {
		n.t.Errorf("errors %+v", d.Errors)
	}
	for key, outcome := range map[string]string{"dummy": "Failed", "no_such_module": "Skipped", "ext4": "Adopted", "ip_vs": "Changed"} {
		if i := d.item(n.t, "kmod/"+key); i.Outcome != outcome {
			n.t.Errorf("%s: %+v, want %s", key, i, outcome)
		}
	}
	n.sh("test -d /sys/module/ip_vs && ! test -d /sys/module/dummy")
	n.write(file, module("{name: no_such_module}"))
	if d = n.document(1, "up", "-f", file, "--no-unit"); len(d.Errors) != 1 || d.Errors[0].Reason != "ModuleUnavailable" {
		n.t.Errorf("errors %+v", d.Errors)
	}
	n.sh("rm " + forbid + " " + file)
	n.bootstrap(0, "down", "--yes")
}

// swaps are the areas in use.
func (n *node) swaps() string {
	n.t.Helper()
	return n.sh("tail -n +2 /proc/swaps | cut -d' ' -f1")
}

const swapDisk = "/dev/nvme1n1"

func fullSwap(n *node) {
	if got := n.swaps(); got != swapDisk {
		n.t.Fatalf("swap is on %q", got)
	}
	n.sh("mkdir -p /mnt/full && mount -t tmpfs -o size=1G full /mnt/full && dd if=/dev/zero of=/mnt/full/f bs=1M count=840 2>/dev/null")
	d := n.document(1, "up", "--profile", "kubernetes", "--no-unit")
	if len(d.Errors) != 1 || d.Errors[0].Reason != "NotEnoughMemory" || !strings.Contains(d.Errors[0].Message, swapDisk) {
		n.t.Errorf("errors %+v", d.Errors)
	}
	if got := n.swaps(); got != swapDisk {
		n.t.Errorf("swap is on %q", got)
	}
	n.mustBe("net/ipv4/ip_forward", "1") // all else is in force
	n.sh("umount /mnt/full")
	n.bootstrap(0, "up")
	if got := n.swaps(); got != "" {
		n.t.Errorf("with memory again, swap is on %q", got)
	}
	n.down()
	if got := n.swaps(); got != swapDisk {
		n.t.Errorf("given back, swap is on %q", got)
	}
}

// nextBoot: modules-load.d and sysctl.d act before anybody runs up again; swap comes back
// with fstab, which is never edited, and up takes it out again.
func nextBoot(n *node) {
	n.sh("dd if=/dev/zero of=/second bs=1M count=16 2>/dev/null; chmod 600 /second; mkswap -q /second; echo '/second none swap noauto 0 0' >>/etc/fstab")
	fstab := n.sh("cat /etc/fstab")
	n.up()
	if got := n.swaps(); got != "" {
		n.t.Errorf("after up swap is on %q", got)
	}
	n.reboot()
	n.sh("grep -qx br_netfilter /etc/modules-load.d/hostprofile.conf && test -d /sys/module/br_netfilter")
	n.mustBe("net/bridge/bridge-nf-call-iptables", "1")
	n.mustBe("kernel/panic", "10")
	if got := n.swaps(); got != swapDisk {
		n.t.Errorf("after the boot swap is on %q", got)
	}
	said := n.bootstrap(0, "up").Stdout
	if got := n.swaps(); got != "" || !strings.Contains(said, swapDisk) {
		n.t.Errorf("swap is on %q after: %s", got, said)
	}
	n.down()
	if got := n.swaps(); got != swapDisk {
		n.t.Errorf("given back, swap is on %q", got) // and not on /second, which was off
	}
	if got := n.sh("cat /etc/fstab"); got != fstab {
		n.t.Errorf("fstab was\n%s\nis\n%s", fstab, got)
	}
	n.sh("rm /second; ! test -e /etc/modules-load.d/hostprofile.conf")
}
