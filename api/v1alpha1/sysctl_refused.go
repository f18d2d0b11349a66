package v1alpha1

import "strings"

// refusedSysctl is a setting, or a family of them, that no profile may name.
type refusedSysctl struct {
	pattern string // elements; * stands for one element, a final ** for all that follow
	why     string
}

const (
	runsPrograms = "makes the kernel run a program as root"
	oneWay       = "cannot be taken back before a reboot"
	identity     = "belongs to the identity of the host"
	action       = "is an action and not a setting"
)

func refusedSysctls() []refusedSysctl {
	return []refusedSysctl{
		{"kernel.core_pattern", runsPrograms},
		{"kernel.modprobe", runsPrograms},
		{"kernel.hotplug", runsPrograms},
		{"kernel.poweroff_cmd", runsPrograms},
		{"kernel.usermodehelper.**", runsPrograms},
		{"fs.binfmt_misc.**", runsPrograms},
		{"kernel.modules_disabled", oneWay},
		{"kernel.kexec_load_disabled", oneWay},
		{"kernel.hostname", identity},
		{"kernel.domainname", identity},
		{"kernel.ns_last_pid", identity},
		{"kernel.cad_pid", identity},
		{"vm.drop_caches", action},
		{"vm.compact_memory", action},
		{"vm.stat_refresh", action},
		{"net.*.route.flush", action},
	}
}

// refusal says why no profile may name this setting, or nothing.
func refusal(name SysctlName) string {
	for _, refused := range refusedSysctls() {
		if name.matches(refused.pattern) {
			return name.String() + " " + refused.why + "; leave it out of the profile"
		}
	}
	return ""
}

// matches tells whether the name belongs to a family of settings: in the pattern, * stands
// for one element and a final ** for one or more; a * at the end of an element stands for
// the rest of it.
func (n SysctlName) matches(pattern string) bool {
	want := strings.Split(pattern, ".")
	for i, element := range n.Elements {
		switch {
		case i >= len(want):
			return false
		case want[i] == "**":
			return true
		case !strings.HasSuffix(want[i], "*") && want[i] != element:
			return false
		case !strings.HasPrefix(element, strings.TrimSuffix(want[i], "*")):
			return false
		}
	}
	return len(n.Elements) == len(want)
}
