// Package paths spells every path that this project writes or reads on a host, each
// once. It has no code: a path that depends on something is not a constant.
package paths

// Files that bring-up writes outside our own directories.
const (
	// SysctlDropIn holds what the next boot shall set before kubelet. Its name sorts
	// after the vendors' files, which both readers order by base name.
	SysctlDropIn = "/etc/sysctl.d/zz-hostprofile.conf"
	// ModulesLoad names the modules that the next boot shall load.
	ModulesLoad = "/etc/modules-load.d/hostprofile.conf"
)

// Files that tell kubelets the address of the node, and the folders that they are in.
const (
	ConfigDir = "/etc/hostprofile"
	// NodeEnv is for units that read an environment file.
	NodeEnv = ConfigDir + "/node.env"
	// KubeletDropIn sorts after kubeadm's own drop-in.
	KubeletDropInDir = "/etc/systemd/system/kubelet.service.d"
	KubeletDropIn    = KubeletDropInDir + "/50-hostprofile.conf"

	RancherDir    = "/etc/rancher"
	K3sDir        = RancherDir + "/k3s"
	K3sConfig     = K3sDir + "/config.yaml"
	K3sConfigDir  = K3sConfig + ".d"
	RKE2Dir       = RancherDir + "/rke2"
	RKE2Config    = RKE2Dir + "/config.yaml"
	RKE2ConfigDir = RKE2Config + ".d"
	// RancherConfigName is our file in either of the two.
	RancherConfigName = "50-hostprofile.yaml"
)

// The unit that prepares the host at boot, and what belongs to it.
const (
	SystemdDir = "/etc/systemd/system"
	Unit       = "hostprofile.service"
	UnitFile   = SystemdDir + "/" + Unit
	// UnitLink is what systemd makes to enable the unit.
	UnitLink = SystemdDir + "/multi-user.target.wants/" + Unit
	// NoRestart keeps the unit from being started again while the host is given back.
	// It dies with the boot.
	NoRestartDir = "/run/systemd/system/" + Unit + ".d"
	NoRestart    = NoRestartDir + "/90-hostprofile-down.conf"
	// GateName is our drop-in for each of KubeletUnits.
	GateName = "10-hostprofile.conf"

	// PackagedProgram is where the packages install bootstrap; a copy of it goes into the
	// first of the other folders that can be written.
	PackagedProgram = "/usr/bin/" + ProgramName
	ProgramDir      = "/usr/local/bin"
	ProgramDirInOpt = "/opt/hostprofile/bin"
	ProgramName     = "bootstrap"
)

// KubeletUnits are the units that bring a kubelet.
var KubeletUnits = []string{KubeletUnit, "k3s.service", "k3s-agent.service", "rke2-server.service", "rke2-agent.service"}

// Our own directories and what is in them.
const (
	StateDir = "/var/lib/hostprofile"
	// Ledger is the durable record of what we own.
	Ledger = StateDir + "/ledger.json"
	// LedgerAside keeps an unreadable ledger that was rebuilt.
	LedgerAside = StateDir + "/ledger.unreadable"
	// Input is what bootstrap was last given and accepted.
	Input = StateDir + "/input.json"
	// Accepted is what the agent last accepted from the cluster.
	Accepted = StateDir + "/accepted.json"
	// AcceptedAside keeps unreadable accepted profiles that were replaced.
	AcceptedAside = StateDir + "/accepted.unreadable"
	// NodeIP is the address that was chosen for this host.
	NodeIP = StateDir + "/node-ip.json"
	// Disabled is the marker that keeps agent and unit out after `down`.
	Disabled = StateDir + "/disabled"

	RunDir = "/run/hostprofile"
	// RunLedger is the record of what dies with the boot.
	RunLedger = RunDir + "/ledger.json"
	// RunLock is held during one engine run by everybody who writes.
	RunLock = RunDir + "/run.lock"
	// ReloadUnits is there while systemd has to read unit files again.
	ReloadUnits = RunDir + "/reload-units"
	// AgentLock is held by the agent for its life.
	AgentLock = RunDir + "/agent.lock"
	// ResidentLock is held by the unit's process for its life.
	ResidentLock = RunDir + "/resident.lock"
	// Gate says whether the kubelet may start in this boot.
	Gate = RunDir + "/gate.json"
)

// What we read of others.
const (
	OSRelease    = "/etc/os-release"
	MachineID    = "/etc/machine-id"
	EtcHostname  = "/etc/hostname"
	Fstab        = "/etc/fstab"
	SysctlConf   = "/etc/sysctl.conf"
	Swaps        = "/proc/swaps"
	Meminfo      = "/proc/meminfo"
	Modules      = "/proc/modules"
	SysModule    = "/sys/module"
	LibModules   = "/lib/modules"
	IPv6Routes   = "/proc/net/ipv6_route"
	NMDevices    = "/run/NetworkManager/devices"
	ActiveUnits  = "/run/systemd/units" // has a link for each unit that runs
	KernelConfig = "/proc/config.gz"    // what the kernel was built with
	BootConfig   = "/boot/config-"      // the same from its package, before the release
	OpenRCConfig = "/etc/rc.conf"
	BPF          = "/sys/fs/bpf" // where the BPF file system belongs
	ProcMounts   = "/proc/self/mountinfo"
	KubeletUnit  = "kubelet.service"
	// CNIDir is where runtimes look for the configuration of the network plugin.
	CNIDir = "/etc/cni/net.d"
	// KubeletDir is the kubelet's own, unless it is told otherwise.
	KubeletDir   = "/var/lib/kubelet"
	RKE2Server   = "rke2-server.service"
	KubeadmFlags = KubeletDir + "/kubeadm-flags.env"
	Passwd       = "/etc/passwd"
	Group        = "/etc/group"
	// KubeletConfig is what kubeadm's kubelet reads.
	KubeletConfig = KubeletDir + "/config.yaml"
	// TunedActive names the profiles of tuned that are in force, and TunedMain is its own
	// configuration.
	TunedActive  = "/etc/tuned/active_profile"
	TunedMain    = "/etc/tuned/tuned-main.conf"
	BootID       = "kernel/random/boot_id" // below /proc/sys
	OSReleaseKey = "kernel/osrelease"      // below /proc/sys
	HostnameKey  = "kernel/hostname"       // below /proc/sys
)

// Directories in which several readers look, highest precedence first: a file
// masks files of the same base name in the directories after its own.
var (
	SysctlDirs   = []string{"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d", "/lib/sysctl.d"}
	ModprobeDirs = []string{"/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d"}
	UnitDirs     = []string{"/etc/systemd/system", "/run/systemd/system", "/run/systemd/generator", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}
	// TunedDirs are where the profiles of tuned are, each in a folder of its name.
	TunedDirs = []string{"/etc/tuned/profiles", "/etc/tuned", "/usr/lib/tuned/profiles", "/usr/lib/tuned"}
	// NMConfDirs are where NetworkManager is configured.
	NMConfDirs = []string{"/etc/NetworkManager/conf.d", "/run/NetworkManager/conf.d", "/usr/lib/NetworkManager/conf.d"}
	// KubeletDefaults are where distributions keep KUBELET_EXTRA_ARGS.
	KubeletDefaults = []string{"/etc/default/kubelet", "/etc/sysconfig/kubelet"}
	// KubeletTraces are there once a kubelet has joined a cluster.
	KubeletTraces = []string{"/etc/kubernetes/kubelet.conf", KubeletDir + "/pki/kubelet-client-current.pem", "/var/lib/rancher/k3s/agent/kubelet.kubeconfig", "/var/lib/rancher/rke2/agent/kubelet.kubeconfig"}
	ZramConfigs   = []string{"/etc/systemd/zram-generator.conf", "/run/systemd/zram-generator.conf", "/usr/local/lib/systemd/zram-generator.conf", "/usr/lib/systemd/zram-generator.conf"}
)
