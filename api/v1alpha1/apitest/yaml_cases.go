package apitest

// yamlScalarCases are about text that YAML takes for something else. What kubectl turns
// into a fitting value is stored by the API server without a word: only a reader of the
// text can refuse it.
func yamlScalarCases() []Case {
	trap := func(value string, by Layer, message string) Case {
		return refusedValue("the value "+value+" without quotes", "net.core.some_setting", value, by, message)
	}
	absent := func(value, message string) Case {
		c := trap(value, Everybody, "")
		c.LoaderMessage = message
		return c
	}
	return []Case{
		trap("off", Everybody, "off is a boolean in YAML; write 0"),
		trap("on", Everybody, "on is a boolean in YAML; write 1"),
		trap("yes", Everybody, "yes is a boolean in YAML; write 1"),
		trap("no", Everybody, "no is a boolean in YAML; write 0"),
		trap("Off", Everybody, "Off is a boolean in YAML; write 0"),
		trap("y", Everybody, "y is a boolean in YAML; write 1"), // others keep the letter
		trap("n", Everybody, "n is a boolean in YAML; write 0"),
		trap("true", Everybody, "true is a boolean in YAML; write 1"),
		trap("false", Everybody, "false is a boolean in YAML; write 0"),
		absent("~", "~ is nothing in YAML; write the value"),
		absent("null", "null is nothing in YAML; write the value"),
		absent("", "is empty; write the value"),
		trap("010", Loader, `010 is octal in YAML and means 8; write 8 or "10"`),
		trap("-010", Loader, `-010 is octal in YAML and means -8; write -8 or "-10"`),
		trap("08", Loader, "08 is a number to some YAML readers and text to others; write 8"),
		trap("00", Loader, "00 is octal in YAML and means 0; write 0"),
		trap("0o10", Loader, "0o10 is octal in YAML and means 8; write 8"),
		trap("0x10", Loader, `0x10 is hexadecimal in YAML and means 16; write 16 or "0x10"`),
		trap("0b11", Loader, "0b11 is binary in YAML and means 3; write 3"),
		trap("1_000", Loader, "write 1000"),
		trap("1e3", Loader, "1e3 is a floating-point number in YAML; write 1000"),
		trap("2.6e+06", Loader, "write 2600000"),
		trap("1.0", Loader, "write 1"),
		trap("1.5", Everybody, `quote it: "1.5"`),
		trap(".inf", Everybody, "floating-point"),
		trap("+5", Loader, "+5 has a plus sign, which YAML drops; write 5"),
		trap("190:20:30", Loader, "base 60"),
		trap("2001-12-14", Loader, "a date"),
		trap("18446744073709551615", Schema|Loader, `quote it: "18446744073709551615"`),
		trap("!!str 1", Loader, "remove the tag"),
		trap("! 1", Loader, "remove the tag"),
		trap("&one ! 1", Loader, "remove the tag"),

		{Name: "swap: off", YAML: document("nodeSelector: {}\nswap: off"), RefusedBy: Everybody, Field: "spec.swap", Message: "off is a boolean in YAML; write Keep or Disabled"},
		{Name: "swap: ~", YAML: document("nodeSelector: {}\nswap: ~"), RefusedBy: Loader, Field: "spec.swap", Message: "~ is nothing in YAML; write Keep or Disabled"}, // to the API server, nothing is absent
		{Name: "priority: 0100", YAML: document("nodeSelector: {}\npriority: 0100"), RefusedBy: Loader, Field: "spec.priority", Message: "write 64"},
		{Name: "a name that YAML reads as a number", YAML: "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: 1}\nspec: {nodeSelector: {}}\n",
			RefusedBy: Everybody, Field: "metadata.name", Message: `quote it: "1"`},
	}
}

// yamlStructureCases are about the shape of the document.
func yamlStructureCases() []Case {
	const list = "spec.sysctls"
	return []Case{
		{Name: "no blank after a colon", YAML: sysctls("{name:net.ipv4.ip_forward, value:1}"), RefusedBy: Everybody, Field: list + "[0]", Message: "write a blank after the colon: name: net.ipv4.ip_forward"},
		{Name: "a comma in a value", YAML: sysctls("{name: net.core.some_setting, value: 1,2}"), RefusedBy: Everybody, Field: list + "[0]", Message: "quote text that holds a comma"},
		{Name: "an entry as in sysctl.d", YAML: sysctls("net.ipv4.ip_forward = 1"), RefusedBy: Everybody, Field: list + "[0]", Message: "write - {name: net.ipv4.ip_forward, value: 1}"},
		{Name: "sysctls as a mapping", YAML: document("nodeSelector: {}\nsysctls: {net.ipv4.ip_forward: 1}"), RefusedBy: Everybody, Field: list, Message: "must be a list"},
		{Name: "sysctls as text", YAML: document("nodeSelector: {}\nsysctls: all"), RefusedBy: Everybody, Field: list, Message: "must be a list"},
		{Name: "sysctls with nothing behind it", YAML: document("nodeSelector: {}\nsysctls:"), RefusedBy: Loader, Field: list, Message: "must be a list and is nothing"},
		{Name: "an entry that is nothing", YAML: sysctls("~"), RefusedBy: Everybody, Field: list + "[0]", LoaderMessage: "is nothing"},
		{Name: "spec as a list", YAML: "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec: []\n", RefusedBy: Everybody, Field: "spec", Message: "must be a mapping"},
		{Name: "a field twice", YAML: document("nodeSelector: {}\nswap: Keep\nswap: Disabled"), RefusedBy: Everybody, Field: "spec.swap", Message: "swap is in line 7 already"},
		{Name: "an alias", YAML: document("nodeSelector: &all {matchLabels: {a: b}}\nsysctls:\n- {name: vm.swappiness, value: &v 1}\n- {name: vm.panic_on_oom, value: *v}"),
			RefusedBy: Loader, Field: list + "[1].value", Message: "write it out"},
		{Name: "a merge key", YAML: document("nodeSelector: {matchLabels: &one {value: \"1\"}}\nsysctls:\n- {name: vm.panic_on_oom, <<: *one}"),
			RefusedBy: Loader, Field: list + "[0]", Message: "write it out"},
		{Name: "a comment and an anchor that nobody uses", YAML: document("# for all\nnodeSelector: &all {}")},
		{Name: "a folded value", YAML: document("nodeSelector: {}\nsysctls:\n- name: net.core.some_setting\n  value: >-\n    1\n    2")},
		{Name: "a literal value with its line break", YAML: document("nodeSelector: {}\nsysctls:\n- name: net.core.some_setting\n  value: |\n    1"),
			RefusedBy: Everybody, Field: firstValue, Message: "one line"},
	}
}
