package testbed

import (
	"fmt"
	"slices"
)

// variant is what one kind of virtual machine has that others have not.
type variant struct {
	packages []string
	files    map[string]string // written
	more     map[string]string // written at the end of a file of the packages
	links    map[string]string
	kernel   []string // on its command line
	systemd  bool
	labelled bool // every file gets the label that the SELinux policy names
}

// noAudit saves time where nobody reads what the kernel records.
const noAudit = "audit=0"

// mountDev is for inits that need /dev from the start and do not mount it themselves.
const mountDev = "devtmpfs.mount=1"

var variants = map[Kind]variant{
	VMKind: {
		packages: basePackages, files: systemdFiles, links: systemdLinks, systemd: true,
		kernel: []string{noAudit},
	},
	SELinuxKind: {
		packages: slices.Concat(basePackages, []string{
			"policycoreutils", "policycoreutils-python-utils", "selinux-policy-default", "selinux-utils",
		}),
		files: systemdFiles, links: systemdLinks, systemd: true, labelled: true,
		// Denials are told through the audit records of the kernel.
		kernel: []string{"security=selinux", "selinux=1", "enforcing=0", "audit=1"},
	},
	SysVinitKind: {
		packages: slices.Concat(plainPackages, []string{"initscripts", "sysv-rc"}),
		files:    plainFiles, more: plainInit, kernel: []string{noAudit, mountDev},
	},
	OpenRCKind: {
		packages: slices.Concat(plainPackages, []string{"openrc"}),
		files:    plainFiles, more: plainInit, kernel: []string{noAudit, mountDev},
	},
}

// extras are the parts of an image's key that only some variants have.
func (v variant) extras() []string {
	var parts []string
	if len(v.more) > 0 {
		parts = append(parts, fmt.Sprint(v.more))
	}
	if v.labelled {
		parts = append(parts, fileContexts)
	}
	return parts
}

func (vm *VM) variant() variant { return variants[vm.options.Kind] }

const (
	hostnameFile = vmHostname + "\n"
	hostsFile    = "127.0.0.1 localhost\n127.0.1.1 " + vmHostname + "\n::1 localhost\n"
	sshdFile     = "PermitRootLogin prohibit-password\nUsePAM no\nUseDNS no\n" +
		"PrintMotd no\nSetEnv PATH=" + guestPath + "\n"
)

// systemdFiles are the files that make a virtual machine of a root file system with
// systemd.
var systemdFiles = map[string]string{
	"etc/hostname": hostnameFile,
	"etc/hosts":    hostsFile,
	"etc/fstab":    "LABEL=" + swapLabel + " none swap sw 0 0\n",
	"etc/systemd/network/10-user.network": "[Match]\nName=eth0\n\n" +
		"[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n",
	"etc/systemd/system/ssh.service.d/testbed.conf": "[Unit]\nAfter=systemd-networkd.service\n\n" +
		"[Service]\nExecStartPost=/bin/sh -c 'echo " + readyMark + " >/dev/ttyS0'\n",
	"etc/systemd/system/systemd-udev-trigger.service.d/testbed.conf": "[Service]\nExecStart=\n" +
		"ExecStart=-udevadm trigger --type=devices --action=add --prioritized-subsystem=module,block,net" +
		" --subsystem-nomatch=tty --subsystem-nomatch=vc --subsystem-nomatch=acpi --subsystem-nomatch=mem" +
		" --subsystem-nomatch=workqueue --subsystem-nomatch=bdi --subsystem-nomatch=cpu\n",
	"etc/ssh/sshd_config.d/testbed.conf": sshdFile,
}

// systemdLinks enable the units that the root file system leaves off, and mask those
// that a virtual machine needs least: in software emulation each costs a second.
var systemdLinks = map[string]string{
	"etc/systemd/system/modprobe@dm_mod.service":                          "/dev/null",
	"etc/systemd/system/modprobe@drm.service":                             "/dev/null",
	"etc/systemd/system/modprobe@efi_pstore.service":                      "/dev/null",
	"etc/systemd/system/modprobe@loop.service":                            "/dev/null",
	"etc/systemd/system/proc-sys-fs-binfmt_misc.automount":                "/dev/null",
	"etc/systemd/system/systemd-binfmt.service":                           "/dev/null",
	"etc/systemd/system/systemd-pstore.service":                           "/dev/null",
	"etc/systemd/system/systemd-update-utmp.service":                      "/dev/null",
	"etc/systemd/system/systemd-update-utmp-runlevel.service":             "/dev/null",
	"etc/systemd/system/multi-user.target.wants/ssh.service":              "/lib/systemd/system/ssh.service",
	"etc/systemd/system/multi-user.target.wants/systemd-networkd.service": "/lib/systemd/system/systemd-networkd.service",
}

// plainPackages are in the root file systems without systemd.
var plainPackages = []string{
	"e2fsprogs", "iproute2", "kmod", "mount", "openssh-server", "procps", "strace", "sysvinit-core", "udev", "util-linux",
}

// plainFiles are the files that make a virtual machine of a root file system without
// systemd.
var plainFiles = map[string]string{
	"etc/hostname":                       hostnameFile,
	"etc/hosts":                          hostsFile,
	"etc/fstab":                          "",
	"etc/ssh/sshd_config.d/testbed.conf": sshdFile,
	startFile: `modprobe virtio_net
until test -e /sys/class/net/eth0; do sleep 0.1; done
ip link set lo up
ip address add 10.0.2.15/24 dev eth0
ip link set eth0 up
ip route add default via 10.0.2.2
mkdir -p /run/sshd
pgrep -x sshd >/dev/null || /usr/sbin/sshd
echo ` + readyMark + ` >/dev/ttyS0
`,
}

const startFile = "usr/local/lib/testbed/start"

// plainInit starts the network and sshd after all else: init takes the lines of a
// runlevel in their order.
var plainInit = map[string]string{"etc/inittab": "\ntb:2345:once:/bin/sh /" + startFile + "\n"}
