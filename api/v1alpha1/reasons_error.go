package v1alpha1

import "slices"

// Reasons of what does not hold.
const (
	ReasonKeyNotFound           Reason = "KeyNotFound"
	ReasonModuleUnavailable     Reason = "ModuleUnavailable"
	ReasonModuleBlacklisted     Reason = "ModuleBlacklisted"
	ReasonInvalidValue          Reason = "InvalidValue"
	ReasonClamped               Reason = "Clamped"
	ReasonReadBackMismatch      Reason = "ReadBackMismatch"
	ReasonReadOnlyProcSys       Reason = "ReadOnlyProcSys"
	ReasonPermissionDenied      Reason = "PermissionDenied"
	ReasonOverriddenByFile      Reason = "OverriddenByFile"
	ReasonMaskedByAll           Reason = "MaskedByAll"
	ReasonContended             Reason = "Contended"
	ReasonDrifted               Reason = "Drifted"
	ReasonConflict              Reason = "Conflict"
	ReasonNodeIPAmbiguous       Reason = "NodeIPAmbiguous"
	ReasonNodeIPNotFound        Reason = "NodeIPNotFound"
	ReasonNodeIPUnreadable      Reason = "NodeIPUnreadable"
	ReasonAddressLost           Reason = "AddressLost"
	ReasonNodeIPMismatch        Reason = "NodeIPMismatch"
	ReasonDuplicateNodeIP       Reason = "DuplicateNodeIP"
	ReasonNotEnoughMemory       Reason = "NotEnoughMemory"
	ReasonDiskFull              Reason = "DiskFull"
	ReasonLedgerUnreadable      Reason = "LedgerUnreadable"
	ReasonLedgerNewer           Reason = "LedgerNewer"
	ReasonAcceptedUnreadable    Reason = "AcceptedUnreadable"
	ReasonNotUnderstood         Reason = "NotUnderstood"
	ReasonWouldLoseDefaultRoute Reason = "WouldLoseDefaultRoute"
	ReasonUnexpectedFilesystem  Reason = "UnexpectedFilesystem"
	ReasonBPFUnavailable        Reason = "BPFUnavailable"
	ReasonUnexpectedFile        Reason = "UnexpectedFile"
	ReasonSELinuxPolicyMissing  Reason = "SELinuxPolicyMissing"
	ReasonNodeNameTaken         Reason = "NodeNameTaken"
	ReasonHostnameMissing       Reason = "HostnameMissing"
	ReasonHostnameInvalid       Reason = "HostnameInvalid"
	ReasonKernelTooOld          Reason = "KernelTooOld"
	ReasonCgroupLegacy          Reason = "CgroupLegacy"
	ReasonCgroupNotMounted      Reason = "CgroupNotMounted"

	ReasonCgroupControllersMissing Reason = "CgroupControllersMissing"

	ReasonProgramNotInstallable Reason = "ProgramNotInstallable"
)

func errorReasons() []ReasonInfo {
	return slices.Concat(kernelErrors(), floorErrors(), nodeIPErrors(), stateErrors())
}

func floorErrors() []ReasonInfo {
	return []ReasonInfo{
		{ReasonKernelTooOld, SeverityError, "the kernel is older than what a cluster's network needs", "install a kernel of 5.10 or later"},
		{ReasonHostnameMissing, SeverityError, "the host has no name of its own, and every host is called localhost at first", "hostnamectl set-hostname NAME"},
		{ReasonHostnameInvalid, SeverityError, "the host has a name that no node can have", "hostnamectl set-hostname NAME, before the host joins; or the kubelet's --hostname-override"},
		{ReasonCgroupLegacy, SeverityError, "the host runs cgroup v1, or v1 and v2 side by side, and container runtimes need v2 alone", "add systemd.unified_cgroup_hierarchy=1 to the kernel's command line, or with OpenRC rc_cgroup_mode=unified to /etc/rc.conf, and reboot"},
		{ReasonCgroupNotMounted, SeverityError, "no cgroup file system is mounted", "mount -t cgroup2 none /sys/fs/cgroup"},
		{ReasonCgroupControllersMissing, SeverityError, "cgroup v2 lacks a controller that kubelets need", "look for cgroup_disable= on the kernel's command line"},
	}
}

func kernelErrors() []ReasonInfo {
	return []ReasonInfo{
		{ReasonKeyNotFound, SeverityError, "this kernel has no such setting; a dot inside the name of an interface is written as a slash", "ls /proc/sys; in the profile: ifMissing: Skip"},
		{ReasonModuleUnavailable, SeverityError, "this kernel has no such module", "modinfo NAME; in the profile: ifMissing: Skip"},
		{ReasonModuleBlacklisted, SeverityError, "a file of the host forbids to load the module", "grep -rw NAME /etc/modprobe.d /usr/lib/modprobe.d"},
		{ReasonInvalidValue, SeverityError, "the kernel refuses the value", "correct the value in the profile"},
		{ReasonClamped, SeverityError, "the kernel took another value than the one written, and is not asked again before the next boot", "write the value into the profile that the kernel took"},
		{ReasonReadBackMismatch, SeverityError, "the setting does not read as it was written", "bootstrap status"},
		{ReasonReadOnlyProcSys, SeverityError, "/proc/sys is read-only here", "run as root on the host, or in a privileged container"},
		{ReasonPermissionDenied, SeverityError, "the kernel does not allow the write", "run as root; look for a lockdown: cat /sys/kernel/security/lockdown"},
		{ReasonOverriddenByFile, SeverityError, "a file of the host sets another value, which is in force now", "remove the line that the message names"},
		{ReasonMaskedByAll, SeverityError, "the setting of this interface has no effect, because the kernel uses that of all interfaces", "set the setting of all as well"},
		{ReasonContended, SeverityError, "somebody else keeps changing the setting, so that it is repaired less and less often", "find the other writer; the message names likely ones"},
		{ReasonDrifted, SeverityError, "somebody else changed the setting, and the profile says not to repair it", "bootstrap status; in the profile: driftPolicy: Repair"},
		{ReasonConflict, SeverityError, "profiles of the same priority want different values", "give one of them a higher priority"},
		{ReasonNotEnoughMemory, SeverityError, "what is in swap does not fit into memory", "free memory or drain the node, then run it again"},
		{ReasonUnexpectedFilesystem, SeverityError, "another file system is mounted where one of ours belongs, or on a folder of ours that is to go", "findmnt PATH"},
		{ReasonBPFUnavailable, SeverityError, "the kernel has no BPF file system, or sysfs is not mounted", "zgrep CONFIG_BPF_SYSCALL= /proc/config.gz /boot/config-$(uname -r)"},
		{ReasonUnexpectedFile, SeverityError, "a file, folder, link or device is where something else of ours belongs", "ls -l PATH; move it away, then run it again"},
		{ReasonSELinuxPolicyMissing, SeverityError, "SELinux is on, and its policy does not know containers", "install container-selinux; or selinux: Keep in the profile"},
		{ReasonWouldLoseDefaultRoute, SeverityError, "forwarding would make the host ignore the router advertisements that its default route comes from", "set accept_ra to 2 on that interface in the profile"},
	}
}

func nodeIPErrors() []ReasonInfo {
	return []ReasonInfo{
		{ReasonNodeIPAmbiguous, SeverityError, "several addresses could be the address of the node", "bootstrap node-ip; then name subnets or an address in the profile"},
		{ReasonNodeIPNotFound, SeverityError, "no address could be the address of the node", "bootstrap node-ip"},
		{ReasonNodeIPUnreadable, SeverityError, "the file of the saved address of the node cannot be read, and nobody else knows what it says: the address and what is published of it stay as they are, and all else is applied",
			"kubectl get node -o wide; then rm /var/lib/hostprofile/node-ip.json, and bootstrap up --node-ip ADDRESS"},
		{ReasonAddressLost, SeverityError, "the saved address of the node is on no interface", "ip address; bootstrap node-ip"},
		{ReasonNodeIPMismatch, SeverityError, "the kubelet uses another address than the saved one", "bootstrap node-ip"},
		{ReasonDuplicateNodeIP, SeverityError, "another host on the link has the address of this node", "arping -D -I INTERFACE ADDRESS"},
		{ReasonNodeNameTaken, SeverityError, "another machine of the cluster has the name of this node", "hostnamectl set-hostname NAME, before the host joins"},
	}
}

func stateErrors() []ReasonInfo {
	return []ReasonInfo{
		{ReasonDiskFull, SeverityError, "there is no space to record what is about to change, so nothing is changed", "df -h /var/lib/hostprofile"},
		{ReasonLedgerUnreadable, SeverityError, "the record of what was changed is lost or damaged, so nothing is changed", "bootstrap up --adopt, or bootstrap down --adopt"},
		{ReasonLedgerNewer, SeverityError, "a newer version wrote the record of what was changed, so nothing of it is changed", "install that version or a newer one"},
		{ReasonAcceptedUnreadable, SeverityError, "the file of the profiles last accepted from the cluster is damaged, so nothing is changed",
			"let the agent reach the API server; then mv /var/lib/hostprofile/accepted.json /var/lib/hostprofile/accepted.unreadable, which gives back what no profile wishes"},
		{ReasonProgramNotInstallable, SeverityError, "bootstrap cannot be copied to where every boot would run it from", "bootstrap up --bin-dir DIR"},
		{ReasonNotUnderstood, SeverityError, "this version cannot understand the profile, and keeps to the last one that it understood", "bootstrap validate -f FILE; upgrade the agent"},
	}
}
