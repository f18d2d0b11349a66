package unit

import (
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

const header = "# Written by hostprofile, and given back by 'bootstrap down'. Changes are undone;\n# a drop-in of your own is left alone.\n"

// Service returns the text of hostprofile.service that runs a command line, as Up writes it.
func Service(argv []string) (string, error) {
	text, err := Text(argv)
	return header + text, err
}

// Text is Service for those who install the unit in their own way, as packages do.
func Text(argv []string) (string, error) {
	command, err := Quote(argv)
	if err != nil {
		return "", err
	}
	return strings.NewReplacer(
		"@BEFORE@", strings.Join(paths.KubeletUnits, " "),
		"@EXEC@", command,
		"@PROGRAM@", strings.ReplaceAll(argv[0], "%", "%%"),
	).Replace(service), nil
}

// service gets ready only when all that is required holds, and never gives up: what waits
// for it waits, and what is missing stands in its status. It wants and requires nothing,
// and waits for the network to be managed but not to be online: without an address it is
// not ready either, and tries again.
//
// What is not restricted here, it needs: it writes kernel settings, files and folders
// anywhere, loads modules, ends swap, and mounts in the namespace of the first process. No
// option that gives it mounts of its own is set, because it would then look at those.
const service = `[Unit]
Description=HostProfile: prepares this host for Kubernetes, and keeps it so
Documentation=https://github.com/hostprofile/hostprofile
ConditionFileIsExecutable=@PROGRAM@
After=systemd-sysctl.service systemd-modules-load.service firewalld.service network.target
Before=@BEFORE@
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=@EXEC@
Restart=always
RestartSec=2s
TimeoutStartSec=infinity
KillMode=process
CapabilityBoundingSet=~CAP_AUDIT_CONTROL CAP_AUDIT_READ CAP_BLOCK_SUSPEND CAP_IPC_LOCK CAP_IPC_OWNER CAP_KILL CAP_LEASE CAP_LINUX_IMMUTABLE CAP_MKNOD CAP_NET_BIND_SERVICE CAP_NET_BROADCAST CAP_NET_RAW CAP_SETFCAP CAP_SETGID CAP_SETPCAP CAP_SETUID CAP_SYS_BOOT CAP_SYS_NICE CAP_SYS_PACCT CAP_SYS_TIME CAP_SYS_TTY_CONFIG CAP_WAKE_ALARM
IPAddressDeny=any
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_NETLINK AF_INET AF_INET6
RestrictNamespaces=mnt
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=~@clock @cpu-emulation @debug @obsolete @raw-io @reboot

[Install]
WantedBy=multi-user.target
`

// gate runs the program that is its last word, if that is still there: a program that was
// removed opens no gate any more, and must not keep kubelets from starting for ever.
const gate = `ExecStartPre=/bin/sh -c '[ ! -x "$$1" ] || exec "$$1" gate' hostprofile `

// Gate returns the text of a drop-in that lets a kubelet start only when the program says
// that this boot has prepared the host. Ordering alone is no gate: what comes after a unit
// starts as well when that unit has failed.
func Gate(program string) (string, error) {
	if err := checkProgram(program); err != nil {
		return "", err
	}
	return header + "[Service]\n" + gate + quote(program) + "\n", nil
}

// IsOurs reports whether a unit's file says that we wrote it.
func IsOurs(text []byte) bool { return strings.HasPrefix(string(text), header) }
