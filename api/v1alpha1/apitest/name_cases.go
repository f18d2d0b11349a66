package apitest

import "strings"

// nameCases are about the names of sysctls.
func nameCases() []Case {
	long := "net.core." + strings.Repeat("x", 120)
	return []Case{
		goodName("two elements", "vm.setting"),
		goodName("eight elements", "a.b.c.d.e.f.g.h"),
		goodName("dashes in a name", "net.bridge.bridge-nf-call-iptables"),
		goodName("a name as long as is allowed", long[:128]),
		goodName("an interface with a dot, written as a slash", "net.ipv4.conf.eth0/100.rp_filter"),
		goodName("an interface with two dots", "net.ipv4.conf.eth0/100/200.rp_filter"),
		goodName("an interface in upper case", "net.ipv4.conf.enP2p1s0F0.rp_filter"),
		goodName("an interface with a colon and an at sign", "net.ipv4.conf.eth0:1@x.rp_filter"),
		goodName("an interface of fifteen characters", "net.ipv4.conf.abcdefghij12345.rp_filter"),
		goodName("all, default and lo by name", "net.ipv4.conf.lo.rp_filter"),
		goodName("an interface of a neighbour setting", "net.ipv6.neigh.eth0/100.retrans_time_ms"),
		goodName("an interface of MPLS", "net.mpls.conf.eth0/100.input"),
		goodName("a VLAN interface written with a dot, which no kernel has", "net.ipv4.conf.eth0.100.rp_filter"),

		refusedName("an empty name", "", "a sysctl needs a name"),
		refusedName("a name of one element", "panic", "2 to 8 elements"),
		refusedName("a name of nine elements", "a.b.c.d.e.f.g.h.i", "2 to 8 elements"),
		refusedName("a name that is too long", long, "at most 128 characters"),
		refusedName("a slash-first name", "net/ipv4/ip_forward", "write net.ipv4.ip_forward"),
		refusedName("a slash-first name of a VLAN interface", "net/ipv4/conf/eth0.100/rp_filter", "write net.ipv4.conf.eth0/100.rp_filter"),
		refusedName("the path of a setting", "/proc/sys/net/ipv4/ip_forward", "write net.ipv4.ip_forward"),
		refusedName("two dots that lead up", "net/../../etc/passwd", "write for example"),
		refusedName("two dots as an element", "net...ipv4", "empty element"),
		refusedName("slashes that are two dots as an interface", "net.ipv4.conf.//.rp_filter", "no interface is called .."),
		refusedName("a slash that is a dot as an interface", "net.ipv4.conf./.rp_filter", "no interface is called ."),
		refusedName("a dot at the end", "net.ipv4.", "empty element"),
		refusedName("a dot at the beginning", ".net.ipv4", "empty element"),
		refusedName("a slash outside an interface", "kernel.core/pattern", "not at the place of one"),
		refusedName("a slash in the last element", "net.ipv4.conf.eth0.rp/filter", "not at the place of one"),
		refusedName("an interface without a setting", "net.ipv4.conf.eth0/100", "with an interface and no setting"),
		refusedName("a name in upper case", "net.ipv4.IP_forward", "write ip_forward"),
		refusedName("a blank in a name", "net.ipv4.ip forward", "consists of a-z"),
		refusedName("a newline in a name", "net.ipv4.ip_forward\n", "consists of a-z"),
		refusedName("a NUL in a name", "net.ipv4.ip_forward\x00", "consists of a-z"),
		refusedName("an equals sign in a name", "net.ipv4.ip_forward=1", "write the value under value"),
		refusedName("a comment sign in a name", "#net.ipv4.ip_forward", "consists of a-z"),
		refusedName("the dash of sysctl.d for errors to ignore", "-net.ipv4.ip_forward", "ifMissing: Skip"),
		refusedName("letters that only look like ASCII", "net.ipv4.ip_fоrward", "consists of a-z"),
		refusedName("an interface of sixteen characters", "net.ipv4.conf.abcdefghij123456.rp_filter", "at most 15"),
		refusedName("an interface with a blank", "net.ipv4.conf.eth 0.rp_filter", "interface element consists of"),
		refusedName("an empty interface", "net.ipv4.conf..rp_filter", "interface element is empty"),
	}
}

// patternCases are about patterns of interfaces, which must be somebody's interfaces.
func patternCases() []Case {
	const iface = "net.ipv4.conf."
	return []Case{
		goodName("a pattern with a star", iface+"lxc*.rp_filter"),
		goodName("a pattern with a question mark", iface+"eth?.rp_filter"),
		goodName("a pattern with a star in front", iface+"*_host.rp_filter"),
		goodName("a pattern over VLAN interfaces", iface+"eth0/*.rp_filter"),
		goodName("a pattern as long as an interface", iface+"abcdefghij1234*.rp_filter"),

		refusedName("a pattern of all interfaces", iface+"*.rp_filter", "at least one literal"),
		refusedName("a pattern without a literal", iface+"?*?.rp_filter", "at least one literal"),
		refusedName("a pattern that matches all", iface+"a*.rp_filter", "also matches all"),
		refusedName("a pattern that matches all by its end", iface+"*l.rp_filter", "also matches all"),
		refusedName("a pattern that matches all letter by letter", iface+"?l?.rp_filter", "also matches all"),
		refusedName("a pattern that matches default", iface+"d*.rp_filter", "also matches default"),
		refusedName("a pattern that matches lo", iface+"l*.rp_filter", "also matches lo"),
		refusedName("a pattern that matches lo by its end", iface+"*o.rp_filter", "also matches lo"),
		refusedName("a pattern with brackets", iface+"eth[0-9].rp_filter", "interface element consists of"),
		refusedName("a plus sign as a wildcard", iface+"lxc+.rp_filter", "write lxc*"),
		refusedName("a pattern that is no name of an interface", iface+"abcdefghij123456*.rp_filter", "at most 15"),
		refusedName("a pattern with two stars in a row", iface+"lxc**.rp_filter", "write one"),
		refusedName("a pattern in the family", "net.*.conf.all.rp_filter", "interface element only"),
		refusedName("a pattern in the setting", iface+"eth0.*", "interface element only"),
		refusedName("a pattern in the kernel's own settings", "kernel.*", "interface element only"),
	}
}

// refusedNameCases are settings that no profile may have, whatever their value.
func refusedNameCases() []Case {
	families := []struct {
		message string
		names   []string
	}{
		{"run a program as root", []string{"kernel.core_pattern", "kernel.modprobe", "kernel.hotplug", "kernel.poweroff_cmd",
			"kernel.usermodehelper.bset", "fs.binfmt_misc.register", "fs.binfmt_misc.status"}},
		{"cannot be taken back", []string{"kernel.modules_disabled", "kernel.kexec_load_disabled"}},
		{"identity of the host", []string{"kernel.hostname", "kernel.domainname", "kernel.ns_last_pid", "kernel.cad_pid"}},
		{"an action and not a setting", []string{"vm.drop_caches", "vm.compact_memory", "vm.stat_refresh",
			"net.ipv4.route.flush", "net.ipv6.route.flush"}},
	}
	var cases []Case
	for _, family := range families {
		for _, name := range family.names {
			cases = append(cases, refusedName("the setting "+name, name, family.message))
		}
	}
	return append(cases,
		Case{Name: "a refused setting that is unmanaged", YAML: sysctls("{name: kernel.core_pattern, unmanaged: true}"),
			RefusedBy: Everybody, Field: firstName, Message: "run a program as root"},
		goodName("a setting that only begins like a refused one", "kernel.core_pattern_size"),
		goodName("a name that goes on behind a refused one", "kernel.modprobe.more"),
		goodName("a setting below a refused action", "net.ipv4.route.gc_timeout"),
	)
}
