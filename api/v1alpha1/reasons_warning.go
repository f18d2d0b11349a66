package v1alpha1

// Reasons of what holds now, and may not later.
const (
	ReasonOverriddenAtNextBoot     Reason = "OverriddenAtNextBoot"
	ReasonZoneConflict             Reason = "ZoneConflict"
	ReasonManagedByNetworkManager  Reason = "ManagedByNetworkManager"
	ReasonPermanentOnly            Reason = "PermanentOnly"
	ReasonRuntimeOnly              Reason = "RuntimeOnly"
	ReasonFirewalldReloaded        Reason = "FirewalldReloaded"
	ReasonWouldOpenHost            Reason = "WouldOpenHost"
	ReasonNodeIPProfileDiffers     Reason = "NodeIPProfileDiffers"
	ReasonNodeIPHeld               Reason = "NodeIPHeld"
	ReasonUnitMasked               Reason = "UnitMasked"
	ReasonForwardFromNicZone       Reason = "ForwardFromNicZone"
	ReasonNoBootUnit               Reason = "NoBootUnit"
	ReasonKubeletWillFailAtRestart Reason = "KubeletWillFailAtRestart"
	ReasonSELinuxPolicyUnreadable  Reason = "SELinuxPolicyUnreadable"
	ReasonSELinuxToolMissing       Reason = "SELinuxToolMissing"
	ReasonNotDurable               Reason = "NotDurable"
	ReasonReadOnlyEtc              Reason = "ReadOnlyEtc"
	ReasonSourceUnknown            Reason = "SourceUnknown"
	ReasonKernelOld                Reason = "KernelOld"
	ReasonKernelOptionsMissing     Reason = "KernelOptionsMissing"
	ReasonEtcdUserMissing          Reason = "EtcdUserMissing"
	ReasonVersionSkew              Reason = "VersionSkew"
	ReasonBootstrapTooOld          Reason = "BootstrapTooOld"
)

func warningReasons() []ReasonInfo {
	return append(networkWarnings(), bootWarnings()...)
}

func networkWarnings() []ReasonInfo {
	return []ReasonInfo{
		{ReasonZoneConflict, SeverityWarning, "the interface is bound to another zone, and is left there", "firewall-cmd --get-zone-of-interface=INTERFACE"},
		{ReasonManagedByNetworkManager, SeverityWarning, "NetworkManager binds the interface to a zone, and would undo another binding", "nmcli connection modify NAME connection.zone trusted"},
		{ReasonPermanentOnly, SeverityWarning, "the binding is in the files of firewalld, and not in the running firewalld", "firewall-cmd --zone=trusted --add-interface=INTERFACE"},
		{ReasonRuntimeOnly, SeverityWarning, "the binding is in the running firewalld, and not in its files", "firewall-cmd --permanent --zone=trusted --add-interface=INTERFACE"},
		{ReasonFirewalldReloaded, SeverityWarning, "somebody reloaded or restarted firewalld; the bindings are there again, and rules that the CNI had in iptables are not", "kubectl -n kube-system delete pod -l k8s-app=cilium --field-selector spec.nodeName=NODE"},
		{ReasonWouldOpenHost, SeverityWarning, "trusting it would let everything of a network into the host, so that it is not done", "name the interfaces of the CNI only"},
		{ReasonForwardFromNicZone, SeverityWarning, "with native routing, packets from the zone of the network card to pods of this node are not forwarded; tunnelled ones are", "firewall-cmd --info-policy=POLICY"},
		{ReasonNodeIPProfileDiffers, SeverityWarning, "the profile would choose another address than the saved one, which stays", "bootstrap node-ip"},
		{ReasonNodeIPHeld, SeverityWarning, "the saved address of the node is kept until the host is prepared again on purpose", "bootstrap node-ip"},
	}
}

func bootWarnings() []ReasonInfo {
	return []ReasonInfo{
		{ReasonOverriddenAtNextBoot, SeverityWarning, "the value is right, and a file of the host sets another one at the next boot", "remove the line that the message names"},
		{ReasonUnitMasked, SeverityWarning, "the boot unit is masked, so that nothing prepares this host at boot", "systemctl unmask hostprofile.service"},
		{ReasonNoBootUnit, SeverityWarning, "there is no boot unit, so that nothing prepares this host before the kubelet", "bootstrap up"},
		{ReasonKubeletWillFailAtRestart, SeverityWarning, "the kubelet will refuse to start again, because a kernel setting is not what protectKernelDefaults asks for", "bootstrap check --profile kubelet-defaults"},
		{ReasonSELinuxPolicyUnreadable, SeverityWarning, "the files that say which labels are right cannot be read or understood", "sestatus; ls /etc/selinux/*/contexts/files"},
		{ReasonSELinuxToolMissing, SeverityWarning, "the host has no semanage, so that the type of a folder cannot be registered", "install policycoreutils-python-utils"},
		{ReasonNotDurable, SeverityWarning, "the setting is lost at the next boot, because the host keeps no files", "bootstrap status"},
		{ReasonKernelOld, SeverityWarning, "the kernel works, and is older than the one that everything is tested with", "install a kernel of 5.10 or later"},
		{ReasonKernelOptionsMissing, SeverityWarning, "the kernel was built without an option that Kubernetes or Cilium needs", "zgrep CONFIG_NAME= /proc/config.gz /boot/config-$(uname -r)"},
		{ReasonEtcdUserMissing, SeverityWarning, "RKE2 is told to obey a CIS benchmark, and its servers do not start with it without a user and a group etcd", "useradd --system --shell /sbin/nologin --no-create-home --user-group etcd"},
		{ReasonSourceUnknown, SeverityWarning, "neither fstab nor a unit names the swap area any more, so that it stays out of use", "swapon PATH"},
		{ReasonReadOnlyEtc, SeverityWarning, "/etc is read-only, so that settings do not survive a boot", "put the files into the image of the host"},
		{ReasonVersionSkew, SeverityWarning, "agent and host binary are of versions that were not tested together", "bootstrap version"},
		{ReasonBootstrapTooOld, SeverityWarning, "the binary on the host cannot read what this agent would write, so that it writes the older form", "install the newer bootstrap on the host"},
	}
}
