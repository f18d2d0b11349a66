package apitest

import "strings"

// entryCases are about the fields of an entry that exclude or need each other, and about
// entries that name the same thing.
func entryCases() []Case {
	entry := func(why, fields string, by Layer, field, message string) Case {
		return Case{Name: why, YAML: sysctls("{name: net.core.some_setting, " + fields + "}"), RefusedBy: by, Field: field, Message: message}
	}
	const item = "spec.sysctls[0]"
	return []Case{
		entry("an explicit Exact", "value: text, compare: Exact", Nobody, "", ""),
		entry("AtMost with a number", "value: 5, compare: AtMost", Nobody, "", ""),
		entry("AtLeast with a quoted number", `value: "18446744073709551615", compare: AtLeast`, Nobody, "", ""),
		entry("AtLeast with a hexadecimal number", `value: "0xff", compare: AtLeast`, Nobody, "", ""),
		entry("a value that is not unmanaged", "value: 1, unmanaged: false", Nobody, "", ""),
		entry("ifMissing at its default", "value: 1, ifMissing: Fail", Nobody, "", ""),

		entry("AtLeast with text", "value: text, compare: AtLeast", Everybody, firstCompare, "one integer"),
		entry("AtMost with several numbers", "value: 1 2 3, compare: AtMost", Everybody, firstCompare, "one integer"),
		entry("AtLeast with a leading zero", `value: "010", compare: AtLeast`, Everybody, firstCompare, "one integer"),
		entry("AtLeast with a number beyond 64 bits", `value: "99999999999999999999", compare: AtLeast`, NotSchema, firstCompare, "one integer"),
		entry("an unknown comparison", "value: 1, compare: atLeast", Everybody, firstCompare, "must be Exact, AtLeast or AtMost"),
		entry("an empty comparison", `value: 1, compare: ""`, NotValidate, firstCompare, "is empty"),
		entry("an unknown word for ifMissing", "value: 1, ifMissing: Ignore", Everybody, item+".ifMissing", "must be Fail or Skip"),
		entry("unmanaged with a value", "value: 1, unmanaged: true", Everybody, firstValue, "excludes unmanaged"),
		entry("unmanaged with a comparison", "compare: Exact, unmanaged: true", Everybody, firstCompare, "excludes unmanaged"),
		entry("unmanaged with ifMissing", "ifMissing: Skip, unmanaged: true", Everybody, item+".ifMissing", "excludes unmanaged"),
		entry("unmanaged that is false and no value", "unmanaged: false", Everybody, firstValue, "a sysctl needs a value"),
		entry("unmanaged as text", `unmanaged: "true"`, Everybody, item+".unmanaged", "write true"),
		entry("unmanaged as yes", "unmanaged: yes", Loader, item+".unmanaged", "write true"),
		entry("an unknown field of an entry", "value: 1, persist: 5", Everybody, item+".persist", "no such field"),

		{Name: "an entry without a name", YAML: sysctls("{value: 1}"), RefusedBy: Everybody, Field: firstName, Message: "a sysctl needs a name"},
		{Name: "one name twice", YAML: sysctls("{name: vm.swappiness, value: 1}", "{name: vm.swappiness, value: 2}"),
			RefusedBy: Everybody, Field: secondName, Message: "in spec.sysctls[0] already"},
		{Name: "one name twice with the same value", YAML: sysctls("{name: vm.swappiness, value: 1}", "{name: vm.swappiness, value: 1}"),
			RefusedBy: Everybody, Field: secondName, Message: "in spec.sysctls[0] already"},
		{Name: "two names of IPv4 forwarding", YAML: sysctls("{name: net.ipv4.ip_forward, value: 1}", "{name: net.ipv4.conf.all.forwarding, value: 1}"),
			RefusedBy: Everybody, Field: secondName, Message: "same kernel variable as net.ipv4.ip_forward"},
		{Name: "two names of the connection limit", YAML: sysctls("{name: net.nf_conntrack_max, value: 1}", "{name: net.netfilter.nf_conntrack_max, value: 1}"),
			RefusedBy: Everybody, Field: secondName, Message: "same kernel variable as net.nf_conntrack_max"},
		{Name: "two names of the instances of inotify", YAML: sysctls("{name: fs.inotify.max_user_instances, value: 1024}", "{name: user.max_inotify_instances, value: 8192}"),
			RefusedBy: Everybody, Field: secondName, Message: "same kernel variable as fs.inotify.max_user_instances"},
		{Name: "two names of the number of huge pages", YAML: sysctls("{name: vm.nr_hugepages_mempolicy, value: 8}", "{name: vm.nr_hugepages, value: 8}"),
			RefusedBy: Everybody, Field: secondName, Message: "same kernel variable as vm.nr_hugepages_mempolicy"},
		{Name: "a pattern and a name that it covers", YAML: sysctls(`{name: "net.ipv4.conf.lxc*.rp_filter", value: 0}`, "{name: net.ipv4.conf.lxc1.rp_filter, value: 1}")},
		{Name: "the second name of IPv4 forwarding alone", YAML: sysctls("{name: net.ipv4.conf.all.forwarding, value: 1}")},
	}
}

// moduleCases are about kernelModules.
func moduleCases() []Case {
	const field = "spec.kernelModules[0].name"
	refused := func(why, name, message string) Case {
		return Case{Name: why, YAML: modules("{name: " + name + "}"), RefusedBy: Everybody, Field: field, Message: message}
	}
	return []Case{
		{Name: "a module with digits", YAML: modules("{name: 8021q}")},
		{Name: "a module with a dash", YAML: modules("{name: snd-hda-intel}")},
		{Name: "a module in upper case", YAML: modules("{name: BusLogic}")},
		refused("a module without a name", `""`, "needs a name"),
		refused("a module with a path", "/lib/modules/x", "without a path"),
		refused("a module that leads up", "../x", "without a path"),
		refused("a module with an ending", "overlay.ko.xz", "write overlay"),
		refused("a module with parameters", "nf_conntrack hashsize=1", "without parameters"),
		refused("a module that is an option", "--remove", "does not begin with a dash"),
		refused("a module with a newline", `"overlay\nx"`, "consists of letters"),
		refused("a module with a name that is too long", strings.Repeat("x", 56), "at most 55"),
		refused("a module with a comment sign", `"#overlay"`, "consists of letters"),
		{Name: "one module twice", YAML: modules("{name: overlay}", "{name: overlay}"), RefusedBy: Everybody, Field: "spec.kernelModules[1].name", Message: "already"},
		{Name: "one module twice, with dash and underscore", YAML: modules("{name: br_netfilter}", "{name: br-netfilter}"),
			RefusedBy: NotSchema, Field: "spec.kernelModules[1].name", Message: "already"},
		{Name: "a module by its name alone", YAML: modules("overlay"), RefusedBy: Everybody, Field: "spec.kernelModules[0]", Message: "- {name: br_netfilter}"},
		{Name: "a module with an unknown word for ifMissing", YAML: modules("{name: overlay, ifMissing: skip}"), RefusedBy: Everybody, Field: "spec.kernelModules[0].ifMissing", Message: "must be Fail or Skip"},
	}
}
