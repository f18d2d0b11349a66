package apitest

import "fmt"

// interfaces is a profile for every node that trusts interfaces, given as YAML.
func interfaces(list string) string {
	return document("nodeSelector: {}\nfirewalld:\n  trustedInterfaces: " + list)
}

// firewalldCases are about the interfaces that are trusted.
func firewalldCases() []Case {
	const first = "spec.firewalld.trustedInterfaces[0]"
	refused := func(why, name, message string) Case {
		return Case{Name: why, YAML: interfaces(fmt.Sprintf("[%q]", name)), RefusedBy: Everybody, Field: first, Message: message}
	}
	return []Case{
		{Name: "interfaces and wildcards", YAML: interfaces(`[cilium_host, "lxc+", "cali*", eth0.100, "br-1", "veth@x", "a"]`)},
		{Name: "interfaces that are not to be trusted", YAML: document("nodeSelector: {}\nfirewalld:\n  trustedInterfaces: [\"lxc+\"]\n  untrustedInterfaces: [lxcbr0]")},
		{Name: "a firewalld section without interfaces", YAML: document("nodeSelector: {}\nfirewalld: {}")},
		{Name: "an interface name of 15 characters", YAML: interfaces("[abcdefghijklmno]")},
		refused("an interface name of 16 characters", "abcdefghijklmnop", "at most 15"),
		refused("a wildcard of 16 characters", "abcdefghijklmno+", "at most 15"),
		refused("an interface without a name", "", "needs a name"),
		refused("a wildcard for every interface", "+", "begins with part of a name"),
		refused("a star for every interface", "*", "begins with part of a name"),
		refused("the loopback interface", "lo", "lo is the host's own"),
		refused("a wildcard that means the loopback interface", "l+", "lo is the host's own"),
		refused("a wildcard of the whole loopback interface", "lo*", "lo is the host's own"),
		refused("a source range", "10.0.0.0/8", "address"),
		refused("an IPv6 address", "fd00::1", "address"),
		refused("an IPv4 address", "192.0.2.10", "address"),
		refused("a wildcard in the middle", "lxc+0", "at the end for a wildcard"),
		refused("two wildcards", "lxc++", "at the end for a wildcard"),
		refused("a trusted interface with a blank", "lxc 0", "letters, digits"),
		refused("an interface with an exclamation mark", "!eth0", "letters, digits"),
		refused("an interface with a newline", "lxc\n0", "letters, digits"),
		refused("an interface with a quote", "lxc'0", "letters, digits"),
		{Name: "an interface twice", YAML: interfaces("[cilium_host, cilium_host]"), RefusedBy: Everybody,
			Field: "spec.firewalld.trustedInterfaces[1]", Message: "in the list already"},
		{Name: "an interface that YAML reads as a number", YAML: interfaces("[1]"), RefusedBy: Everybody, Field: first, Message: `quote it: "1"`},
		{Name: "interfaces that are no list", YAML: interfaces("cilium_host"), RefusedBy: Everybody,
			Field: "spec.firewalld.trustedInterfaces", Message: "must be a list"},
		{Name: "sources, which are never trusted", YAML: document("nodeSelector: {}\nfirewalld:\n  trustedSources: [10.0.0.0/8]"),
			RefusedBy: Everybody, Field: "spec.firewalld.trustedSources", Message: "no such field"},
		{Name: "more interfaces than are allowed", YAML: interfaces(manyInterfaces(65)), RefusedBy: Everybody,
			Field: "spec.firewalld.trustedInterfaces", Message: "at most 64"},
		{Name: "as many interfaces as are allowed", YAML: interfaces(manyInterfaces(64))},
	}
}

func manyInterfaces(n int) string {
	list := "["
	for i := range n {
		list += fmt.Sprintf("if%d, ", i)
	}
	return list + "]"
}
