package v1alpha1

// refusedSysctl is a setting, or a family of them, that no profile may name.
type refusedSysctl struct {
	names family
	why   string
}

const (
	runsPrograms = "makes the kernel run a program as root"
	oneWay       = "cannot be taken back before a reboot"
	identity     = "belongs to the identity of the host"
	action       = "is an action and not a setting"
)

var refusedSysctls = []refusedSysctl{
	{names("kernel.core_pattern"), runsPrograms},
	{names("kernel.modprobe"), runsPrograms},
	{names("kernel.hotplug"), runsPrograms},
	{names("kernel.poweroff_cmd"), runsPrograms},
	{names("kernel.usermodehelper.**"), runsPrograms},
	{names("fs.binfmt_misc.**"), runsPrograms},
	{names("kernel.modules_disabled"), oneWay},
	{names("kernel.kexec_load_disabled"), oneWay},
	{names("kernel.hostname"), identity},
	{names("kernel.domainname"), identity},
	{names("kernel.ns_last_pid"), identity},
	{names("kernel.cad_pid"), identity},
	{names("vm.drop_caches"), action},
	{names("vm.compact_memory"), action},
	{names("vm.stat_refresh"), action},
	{names("net.*.route.flush"), action},
}

// refusal says why no profile may name this setting, or nothing.
func refusal(name SysctlName) string {
	for _, refused := range refusedSysctls {
		if refused.names.cover(name) {
			return name.String() + " " + refused.why + "; leave it out of the profile"
		}
	}
	return ""
}
