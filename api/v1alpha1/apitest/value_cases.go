package apitest

import "strings"

// valueCases are about the text of a value, whatever the setting.
func valueCases() []Case {
	const unknown = "net.core.some_setting"
	return []Case{
		goodValue("zero", unknown, "0"),
		goodValue("a negative number", unknown, "-1"),
		goodValue("the largest number of the API server", unknown, "9223372036854775807"),
		goodValue("the smallest number of the API server", unknown, "-9223372036854775808"),
		goodValue("a number beyond int32", unknown, "68719476736"),
		goodValue("the largest number of the kernel, quoted", unknown, `"18446744073709551615"`),
		goodValue("a quoted number", unknown, `"1"`),
		goodValue("a word", unknown, "bbr"),
		goodValue("several numbers", unknown, "4096 87380 6291456"),
		goodValue("a quoted hexadecimal number", unknown, `"0x10"`),
		goodValue("quoted leading zeros of a bit mask", unknown, `"00000000,00000003"`),
		goodValue("a list of processors", unknown, `"0-3,8"`),
		goodValue("text with quotes inside", unknown, `'a "b" c'`),
		goodValue("more than one blank between fields", unknown, `"1   2"`),
		goodValue("a value as long as is allowed", unknown, strings.Repeat("x", 1024)),

		refusedValue("a value that is too long", unknown, strings.Repeat("x", 1025), Everybody, "at most 1024"),
		refusedValue("an empty value", unknown, `""`, Everybody, "is empty"),
		refusedValue("a value of blanks", unknown, `"   "`, Everybody, "is empty"),
		refusedValue("a blank before a value", unknown, `" 1"`, Everybody, "remove it"),
		refusedValue("a blank behind a value", unknown, `"1 "`, Everybody, "remove it"),
		refusedValue("a value with a newline inside", unknown, `"1\n2"`, Everybody, "one line"),
		refusedValue("a value with a newline at its end", unknown, `"1\n"`, Everybody, "one line"),
		refusedValue("a value with a carriage return", unknown, `"1\r"`, Everybody, "one line"),
		refusedValue("a value with a NUL", unknown, `"1\0"`, Everybody, "U+0000"),
		refusedValue("a value with an escape character", unknown, `"\e[31m"`, Everybody, "U+001B"),
		refusedValue("a value with a tab", unknown, `"4096\t87380"`, Everybody, "separate fields by blanks"),
		refusedValue("a value that is not ASCII", unknown, `"naïve"`, Everybody, "U+00EF"),
		refusedValue("double quotes around a value", unknown, `'"4096 87380"'`, Everybody, "a quote"),
		refusedValue("single quotes around a value", unknown, `"'1'"`, Everybody, "a quote"),
		refusedValue("a quote at the beginning only", unknown, `'"1'`, Everybody, "a quote"),
		refusedValue("a plus sign in a value", unknown, `"a+b"`, Everybody, "'+'"),
		refusedValue("a semicolon in a value", unknown, `"1; rm"`, Everybody, "';'"),
		refusedValue("a comment sign in a value", unknown, `"1 # one"`, Everybody, "'#'"),
		refusedValue("a quoted number with an exponent", unknown, `"2.62144e+06"`, Everybody, "write 2621440"),
		refusedValue("a quoted number with an exponent and no sign", unknown, `"1e3"`, NotSchema, "write 1000"),
		refusedValue("a quoted number with underscores", unknown, `"1_000"`, NotSchema, "write 1000"),
		refusedValue("a quoted octal number of newer languages", unknown, `"0o10"`, NotSchema, "does not read"),
		goodValue("what looks like an exponent in a bit mask", "net.core.rps_default_mask", `"1e3"`),

		{Name: "no value", YAML: sysctls("{name: vm.swappiness}"), RefusedBy: Everybody, Field: firstValue, Message: "a sysctl needs a value"},
		refusedValue("a list as value", unknown, "[1, 2]", Everybody, "is a list"),
		refusedValue("a mapping as value", unknown, "{a: b}", Everybody, "is a mapping"),
	}
}

// knownValueCases are about settings whose type and range are known.
func knownValueCases() []Case {
	const rmem = "net.ipv4.tcp_rmem"
	return []Case{
		goodValue("a triple in rising order", rmem, "4096 87380 6291456"),
		goodValue("a triple of equal numbers", rmem, "4096 4096 4096"),
		goodValue("a negative timeout before a reboot", "kernel.panic", "-1"),
		goodValue("a group range that is closed", "net.ipv4.ping_group_range", "1 0"),
		goodValue("a shared memory limit of 64 bits", "kernel.shmmax", `"18446744073692774399"`),
		goodValue("a hexadecimal number in a known range", "net.ipv4.ip_forward", `"0x1"`),

		refusedValue("a boolean setting with another number", "net.ipv4.ip_forward", "2", NotSchema, "from 0 to 1"),
		refusedValue("a known number below its range", "vm.swappiness", "-1", NotSchema, "from 0 to 200"),
		refusedValue("a known number above its range", "vm.swappiness", "201", NotSchema, "from 0 to 200"),
		refusedValue("a known number beyond 64 bits", "fs.file-max", `"99999999999999999999"`, NotSchema, "one integer"),
		refusedValue("text where a number is known to be", "vm.swappiness", "low", NotSchema, "one integer"),
		refusedValue("two numbers where one is known to be", "net.core.somaxconn", "1 2", NotSchema, "not 2 fields"),
		refusedValue("two numbers where three are known to be", rmem, "4096 87380", NotSchema, "3 integers"),
		refusedValue("a triple whose default is below its minimum", rmem, "4096 100 6291456", NotSchema, "default 100 is less than min 4096"),
		refusedValue("a triple whose maximum is below its default", rmem, "4096 87380 5000", NotSchema, "max 5000 is less than default 87380"),
		refusedValue("a port range upside down", "net.ipv4.ip_local_port_range", "60999 32768", NotSchema, "rising order"),
		refusedValue("a port beyond 65535", "net.ipv4.ip_local_port_range", "32768 70000", NotSchema, "from 1 to 65535"),
		refusedValue("a quoted leading zero in a known number", "vm.swappiness", `"010"`, NotSchema, "octal to the kernel"),
		refusedValue("two words for a queueing discipline", "net.core.default_qdisc", "fq codel", NotSchema, "one word"),
		refusedValue("a known setting by pattern", `"net.ipv4.conf.lxc*.rp_filter"`, "3", NotSchema, "from 0 to 2"),
	}
}

// isolationCases are about settings that a profile may make stricter and never laxer.
func isolationCases() []Case {
	lax := func(name, value string) Case {
		return refusedValue(name+" at "+value, name, value, Everybody, "lowers the isolation")
	}
	strict := func(name, value string) Case { return goodValue(name+" at "+value, name, value) }
	compared := func(name, value, compare, message string) Case {
		c := Case{Name: name + " " + compare + " " + value, Message: message,
			YAML: sysctls("{name: " + name + ", value: " + value + ", compare: " + compare + "}")}
		if message != "" {
			c.RefusedBy, c.Field = Everybody, firstCompare
		}
		return c
	}
	return []Case{
		lax("kernel.kptr_restrict", "0"), strict("kernel.kptr_restrict", "1"), strict("kernel.kptr_restrict", `"2"`),
		lax("kernel.dmesg_restrict", "0"), strict("kernel.dmesg_restrict", "1"),
		lax("kernel.randomize_va_space", "0"), lax("kernel.randomize_va_space", "1"), strict("kernel.randomize_va_space", "2"),
		lax("kernel.perf_event_paranoid", "-1"), lax("kernel.perf_event_paranoid", "1"), strict("kernel.perf_event_paranoid", "4"),
		lax("kernel.sysrq", "1"), lax("kernel.sysrq", "438"), lax("kernel.sysrq", "64"), strict("kernel.sysrq", "0"), strict("kernel.sysrq", "176"), strict("kernel.sysrq", "16"),
		lax("fs.protected_symlinks", "0"), lax("fs.protected_something_new", "0"), strict("fs.protected_regular", "2"),
		lax("fs.suid_dumpable", "1"), lax("fs.suid_dumpable", "2"), strict("fs.suid_dumpable", "0"),
		lax("vm.mmap_min_addr", "0"), lax("vm.mmap_min_addr", "4096"), strict("vm.mmap_min_addr", "65536"), strict("vm.mmap_min_addr", "131072"),
		lax("net.core.bpf_jit_harden", "0"), strict("net.core.bpf_jit_harden", "2"),
		lax("net.ipv4.conf.all.accept_source_route", "1"), strict("net.ipv4.conf.all.accept_source_route", "0"),
		lax("net.ipv6.conf.eth0.accept_source_route", "1"), strict("net.ipv6.conf.eth0.accept_source_route", "-1"),
		lax("net.ipv4.conf.lo.route_localnet", "1"), lax(`"net.ipv4.conf.lxc*.route_localnet"`, "1"), strict("net.ipv4.conf.eth0.route_localnet", "0"),
		lax("kernel.perf_event_paranoid", "none"), lax("kernel.kptr_restrict", `"0x0"`), lax("kernel.kptr_restrict", `"0x1"`), lax("kernel.sysrq", "-1"),

		compared("kernel.kptr_restrict", "1", "AtLeast", ""),
		compared("kernel.kptr_restrict", "2", "AtMost", "stricter already"),
		compared("fs.suid_dumpable", "0", "AtMost", ""),
		compared("fs.suid_dumpable", "0", "AtLeast", "stricter already"),
		compared("kernel.sysrq", "176", "AtLeast", "stricter already"),
		{Name: "a setting that isolates and is left to others", YAML: sysctls("{name: kernel.kptr_restrict, unmanaged: true}")},
	}
}
