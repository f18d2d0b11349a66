package boot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestInAVM tells what needs a kernel of its own: swap, modules, every setting, udev, and
// the power cut. All of it is told on one machine.
func TestInAVM(t *testing.T) {
	vm := testbed.StartVM(t, testbed.VMOptions{SwapDisk: 64, CommandLine: "systemd.mask=firewalld.service"})
	n := settle(t, vm)
	n.swaps()
	n.vendor()
	n.story("a build host becomes an image, and its clone is a host of its own", func(n *node) { vmIsAnImage(n, vm) })
	n.write(siteFile, siteProfile)
	n.story("all that kubelet needs is right before it starts", aBoot)
	n.story("and once more after the power was cut in the middle of up", func(n *node) { powerCut(n, vm) })
	n.story("kubelet does not start while a required setting is refused", func(n *node) { refused(n, vm) })
}

const siteFile = "/srv/site.yaml"

// siteProfile has a value for one VLAN, whose name has a dot.
const siteProfile = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec:
  nodeSelector: {}
  sysctls:
    - {name: net.core.somaxconn, value: 65535}
    - {name: net.ipv4.conf.all.accept_redirects, value: 0}
    - {name: net.ipv4.conf.eth0/100.rp_filter, value: 1}
`

const everything = "--profile kubernetes --profile kubelet-defaults --profile cilium -f " + siteFile

// swaps gives the host, besides its swap partition, a swap file and a compressed one in
// memory, at every boot.
func (n *node) swaps() {
	n.t.Helper()
	n.write("/etc/systemd/system/zram.service", `[Unit]
DefaultDependencies=no
Before=swap.target
After=systemd-modules-load.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'modprobe zram && echo 16M >/sys/block/zram0/disksize && mkswap -q /dev/zram0 && swapon /dev/zram0'

[Install]
WantedBy=swap.target
`)
	n.sh("dd if=/dev/zero of=/swapfile bs=1M count=16 status=none && chmod 600 /swapfile && mkswap -q /swapfile && " +
		"echo '/swapfile none swap sw 0 0' >>/etc/fstab && systemctl daemon-reload && systemctl enable -q zram")
}

// vendor gives the host the files that distributions and admins have.
func (n *node) vendor() {
	n.t.Helper()
	n.write("/usr/lib/sysctl.d/50-default.conf", "net.ipv4.conf.*.rp_filter = 2\n-net.ipv4.conf.all.rp_filter\n")
	n.write("/etc/sysctl.d/zzz-admin.conf", "vm.overcommit_memory = 0\nkernel.panic = 0\n")
}

// needs is what kubelet has to find, with this value of the site's.
func needs(somaxconn string) []string {
	return []string{
		"no swap", "net/ipv4/ip_forward = 1", "net/bridge/bridge-nf-call-iptables = 1", "net/core/somaxconn = " + somaxconn,
		"net/ipv4/conf/all/accept_redirects = 0", "vm/overcommit_memory = 1", "vm/panic_on_oom = 0", "kernel/panic = 10",
		"kernel/panic_on_oops = 1", "kernel/keys/root_maxkeys = 1000000", "kernel/keys/root_maxbytes = 25000000",
		"fs/inotify/max_user_instances = 8192", "module overlay", "module br_netfilter", "bpffs bpf_fs", "root shared",
	}
}

func aBoot(n *node) {
	n.sh("systemctl start zram && swapon -a")
	if got := n.sh("grep -c ^/ /proc/swaps"); got != "3" {
		n.t.Fatalf("the host swaps to %s areas, want 3", got)
	}
	n.bootstrap(0, "up "+everything)
	n.until("systemctl is-active -q hostprofile")
	n.sh("systemctl start kubelet")
	n.mustHaveSeen(needs("65535")...)
	n.reboot()
	n.prepared("65535")
}

// prepared wants this boot to have undone what others do at each boot, before kubelet.
func (n *node) prepared(somaxconn string) {
	n.t.Helper()
	n.mustHaveSeen(needs(somaxconn)...)
	n.is("systemctl is-active hostprofile kubelet", "active\nactive")
	for _, change := range []string{
		"swap/dev/nvme1n1 from ", "swap/swapfile from ", "swap/dev/zram0 from ", // each was on in this boot
		"sysctl/vm.overcommit_memory from 0 to 1", "sysctl/kernel.panic from 0 to 10", // and the admin's file read last
	} {
		n.sh("journalctl -b -u hostprofile --no-pager | grep -q 'changed " + change + "'")
	}
}

// interfaces: udev lets systemd-sysctl apply the files to each new interface.
func interfaces(n *node) {
	filter := func(link, want string) {
		n.t.Helper()
		n.until("test $(cat /proc/sys/net/ipv4/conf/" + link + "/rp_filter) = " + want)
	}
	filter("eth0", "2")
	const vlan = "ip link add link eth0 name eth0.100 type vlan id 100"
	n.sh("modprobe -a dummy 8021q && " + vlan)
	filter("eth0.100", "1") // by the unit, and once it was seen, by our file
	n.until("grep -q eth0.100 /etc/sysctl.d/zz-hostprofile.conf")
	n.sh("systemctl stop hostprofile && ip link del eth0.100 && " + vlan + " && ip link add lxc1a2b3c type dummy && ip link add other0 type dummy && udevadm settle")
	filter("lxc1a2b3c", "0")
	filter("other0", "2")
	filter("eth0.100", "1")
	n.sh("mv /etc/sysctl.d/zz-hostprofile.conf /run/aside && ip link add lxccontrol type dummy && udevadm settle")
	filter("lxccontrol", "2")
	n.sh("mv /run/aside /etc/sysctl.d/zz-hostprofile.conf && systemctl start --no-block hostprofile")
	filter("lxccontrol", "0") // and now the unit repairs
	n.sh("ip link add lxclater type dummy && udevadm settle")
	filter("lxclater", "0")
	filter("other0", "2")
	filter("eth0", "2")
}

// powerCut: up has accepted another profile, and has set half of it.
func powerCut(n *node, vm *testbed.VM) {
	n.write(siteFile, strings.Replace(siteProfile, "65535", "32768", 1)+"    - {name: vm.max_map_count, value: 300000}\n")
	n.sh("systemctl stop hostprofile") // it would hold the lock now and then
	argv := append(strings.Fields("strace -f -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:delay_enter=600s -P /proc/sys/vm/max_map_count "+
		remote+" up"), strings.Fields(everything)...)
	run, err := n.Start(n.t.Context(), argv...)
	if err != nil {
		n.t.Fatal(err)
	}
	n.until("grep -q 300000 /etc/sysctl.d/zz-hostprofile.conf && grep -q 32768 /proc/sys/net/core/somaxconn")
	if err := vm.Kill(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
	_, _ = run.Wait()
	if err := vm.Boot(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
	n.prepared("32768")
	n.is("cat /proc/sys/vm/max_map_count", "300000")
	if said := n.bootstrap(0, "up"); !strings.Contains(said, "0 written") {
		n.t.Errorf("the boot has left something to do: %s", said)
	}
}

// long is how long a kubelet is watched that must not start.
const long = 120 * time.Second

// refused: the kernel takes 0, 1 and 2.
func refused(n *node, vm *testbed.VM) {
	n.write(siteFile, siteProfile+"    - {name: net.ipv4.tcp_ecn, value: 9}\n")
	n.bootstrap(1, "up "+everything)
	if err := vm.RebootEarly(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
	n.until("systemctl status hostprofile | grep -q net.ipv4.tcp_ecn")
	began := n.uptime()
	status := n.sh("systemctl show -P StatusText hostprofile")
	if want := "kubelet is waiting for net.ipv4.tcp_ecn: is 2, want 9, "; !strings.HasPrefix(status, want) {
		n.t.Errorf("status %q, want %q", status, want)
	}
	n.t.Logf("status %q", status)
	if !strings.Contains(vm.Console(), "hostprofile: "+status) {
		n.t.Error("the console says nothing")
	}
	for _, want := range needs("65535") { // all else is in force
		if path, value, ok := strings.Cut(want, " = "); ok {
			n.is("cat /proc/sys/"+path, value)
		}
	}
	n.is("grep -c ^/ /proc/swaps || true", "0")
	n.bootstrap(1, "gate --wait 1s")
	n.kill(20)
	// systemd starts what comes after a unit also when that has failed: here the gate holds.
	// The unit is started again after two seconds, in which the turn of kubelet comes.
	n.sh("kill -KILL $(systemctl show -P MainPID hostprofile)")
	n.until(`journalctl -b -u kubelet --no-pager | grep -q "kubelet is waiting for net.ipv4.tcp_ecn"`)
	n.story("meanwhile a new interface gets what the profile says, and others what the host says", interfaces)
	for n.uptime()-began < long {
		n.is("systemctl is-active hostprofile || true", "activating")
		n.sh("! systemctl is-active -q kubelet") // it may be waiting at the gate
		n.sh("sleep 10")
	}
	if saw := n.saw(); saw != "" {
		n.t.Errorf("kubelet started, and saw\n%s", saw)
	}
	n.sh("systemctl status hostprofile | grep -q net.ipv4.tcp_ecn")
	n.write(siteFile, siteProfile)
	n.bootstrap(0, "up "+everything)
	n.until("systemctl is-active -q kubelet") // whose start waited all the time
	n.mustHaveSeen(needs("65535")...)
}

// uptime is how long the host has been up, by its own clock.
func (n *node) uptime() time.Duration {
	n.t.Helper()
	d, err := time.ParseDuration(n.sh("cut -d' ' -f1 /proc/uptime") + "s")
	if err != nil {
		n.t.Fatal(err)
	}
	return d
}
