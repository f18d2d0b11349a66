package boot_test

import (
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	imageProfile = siteProfile + "  nodeIP: {publish: EnvironmentFile}\n"
	// written is where an image has files of ours.
	written = "/var/lib/hostprofile /etc/sysctl.d/zz-hostprofile.conf /etc/modules-load.d/hostprofile.conf /etc/systemd/system /etc/hostprofile"
	address = "10.0.2.15" // which QEMU gives to every machine
)

// vmIsAnImage prepares a build host, and boots its disk as that of another machine.
func vmIsAnImage(n *node, vm *testbed.VM) {
	n.write(siteFile, imageProfile)
	n.sh("systemctl start zram && swapon -a")
	before := n.snapshot()
	n.buildsAnImage(before)
	name, id := n.sh("cat /etc/hostname"), n.sh("cat /etc/machine-id")
	n.sh("echo clone1 >/etc/hostname")
	vm.Clone()
	n.reboot()
	n.prepared("65535")
	n.sh("! grep -q " + id + " /etc/machine-id && grep -q $(cat /etc/machine-id) /var/lib/hostprofile/ledger.json")
	n.is("cat /proc/sys/kernel/hostname /etc/hostprofile/node.env | grep -v '^#'", "clone1\nNODE_IP="+address)
	if said := n.bootstrap(0, "status"); !strings.Contains(said, "clone1: Ready.") || !strings.Contains(said, "node IP   "+address) {
		n.t.Errorf("status says: %s", said)
	}
	if said := n.bootstrap(0, "up"); !strings.Contains(said, "0 written") {
		n.t.Errorf("the first boot has left something to do: %s", said)
	}
	n.bootstrap(0, "down --yes --purge")
	n.bootstrap(0, "status --expect-clean")
	n.sh("echo " + name + " >/etc/hostname && systemctl stop kubelet && rm -r " + seen)
	for _, line := range snapshot.Diff(before, n.snapshot()) {
		if !slices.ContainsFunc(left, func(l string) bool { return strings.HasPrefix(line, l) }) {
			n.t.Errorf("after down on the clone: %s", line)
		}
	}
	n.sh("swapon /dev/zram0") // as the next story wants it
}

// left is what differs after down on a clone: what keys were before us, which nobody has seen
// and the next boot gives, swap that neither fstab nor a unit names, and whose machine it is.
var left = []string{"~ sysctl ", "- swap /dev/zram0: ", "~ content /etc/machine-id: "}

// buildsAnImage wants files, and nothing that is live, or is this machine's.
func (n *node) buildsAnImage(before snapshot.Snapshot) {
	n.t.Helper()
	if said := n.bootstrap(0, "up --image "+everything); !strings.Contains(said, "Prepared; at first boot: 2 modules, ") || !strings.Contains(said, " sysctls, swap off, node IP will be chosen.") {
		n.t.Errorf("up --image says: %s", said)
	}
	changes := snapshot.Diff(before, n.snapshot())
	for _, line := range changes {
		if !strings.HasPrefix(line, "+ file ") && !strings.HasPrefix(line, "+ content ") {
			n.t.Errorf("up --image made more than files: %s", line)
		}
	}
	if len(changes) < 10 {
		n.t.Errorf("up --image changed only %q", changes)
	}
	n.sh("! grep -rF -e $(cat /etc/machine-id) -e $(cat /proc/sys/kernel/random/boot_id) -e $(cat /etc/hostname) -e " + address + " " + written + " 2>/dev/null")
	if said := n.bootstrap(1, "status"); !strings.Contains(said, "Prepared to become an image, and not brought up itself") || strings.Contains(said, "FAILED") {
		n.t.Errorf("status on the build host says: %s", said)
	}
	if said := n.bootstrap(0, "status --image"); !strings.Contains(said, "Ready.") {
		n.t.Errorf("status --image says: %s", said)
	}
}

func (n *node) snapshot() snapshot.Snapshot {
	n.t.Helper()
	s, err := snapshot.Take(n.t.Context(), n.Host)
	if err != nil {
		n.t.Fatal(err)
	}
	return s
}
