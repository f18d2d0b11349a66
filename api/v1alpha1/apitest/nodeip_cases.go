package apitest

import (
	"fmt"
	"strings"
)

// nodeIPCases are about the section nodeIP.
func nodeIPCases() []Case {
	section := func(fields string) string { return document("nodeSelector: {}\nnodeIP: {" + fields + "}") }
	named := func(fields string) string {
		return document("nodeSelector: {matchLabels: {kubernetes.io/hostname: node-17}}\nnodeIP: {" + fields + "}")
	}
	good := func(why, fields string) Case { return Case{Name: "node IP: " + why, YAML: named(fields)} }
	bad := func(why, fields, field, message string) Case {
		return Case{Name: "node IP: " + why, YAML: named(fields), RefusedBy: Everybody, Field: "spec.nodeIP." + field, Message: message}
	}
	const address = "address"
	return []Case{
		good("an empty section", ""),
		good("IPv4", "ipFamilies: [IPv4]"),
		good("both families", "ipFamilies: [IPv4, IPv6]"),
		good("subnets and exclusions", `subnets: ["192.0.2.0/24", "2001:db8::/64"], excludeAddresses: ["192.0.2.2", "2001:db8::2", "192.0.2.128/25"]`),
		good("an address", `address: "192.0.2.10"`),
		good("a pair", `ipFamilies: [IPv4, IPv6], address: "192.0.2.10,2001:db8::10"`),
		good("an address that may come later", `address: "100.64.0.5", whenAddressMissing: Start, waitSeconds: 0`),
		good("the longest wait", "waitSeconds: 600"),
		good("kubeadm", "publish: Kubeadm"),
		good("nothing published", "publish: None"),

		bad("IPv6 first", "ipFamilies: [IPv6, IPv4]", "ipFamilies", "primary family is IPv4"),
		bad("IPv6 alone", "ipFamilies: [IPv6]", "ipFamilies", "primary family is IPv4"),
		bad("a family twice", "ipFamilies: [IPv4, IPv4]", "ipFamilies", "[IPv4] or [IPv4, IPv6]"),
		bad("a family in lower case", "ipFamilies: [ipv4]", "ipFamilies[0]", "must be IPv4 or IPv6"),
		bad("a subnet that is a word", "subnets: [internal]", "subnets[0]", "a subnet is a network"),
		bad("a subnet with too long a prefix", `subnets: ["192.0.2.0/33"]`, "subnets[0]", "a subnet is a network"),
		bad("an exclusion that is a range", `excludeAddresses: ["192.0.2.2-192.0.2.9"]`, "excludeAddresses[0]", "an address or a network"),
		bad("a subnet twice", `subnets: ["192.0.2.0/24", "10.0.0.0/8", "192.0.2.0/24"]`, "subnets[2]", "is in entry 0 already"),
		bad("too many subnets", "subnets: ["+manySubnets()+"]", "subnets", "at most 16"),
		bad("loopback", `address: "127.0.0.1"`, address, "a loopback address"),
		bad("IPv6 loopback", `ipFamilies: [IPv4, IPv6], address: "192.0.2.10,::1"`, address, "a loopback address"),
		bad("all zeros", `address: "0.0.0.0"`, address, "all-zeros"),
		bad("multicast", `address: "224.0.0.1"`, address, "multicast"),
		bad("link-local", `address: "169.254.1.1"`, address, "link-local"),
		bad("IPv6 link-local", `ipFamilies: [IPv4, IPv6], address: "192.0.2.10,fe80::1"`, address, "link-local"),
		bad("broadcast", `address: "255.255.255.255"`, address, "broadcast"),
		bad("IPv4 in IPv6", `address: "::ffff:192.0.2.10"`, address, "is an IP address"),
		bad("a leading zero", `address: "192.0.2.010"`, address, "leading zeros"),
		bad("a prefix length", `address: "192.0.2.10/24"`, address, "prefix length"),
		bad("a blank", `address: " 192.0.2.10 "`, address, "without blanks"),
		bad("a host name", "address: node-17", address, "is an IP address"),
		bad("an IPv6 address alone", `address: "2001:db8::10"`, address, "primary family is IPv4"),
		bad("a pair in the wrong order", `ipFamilies: [IPv4, IPv6], address: "2001:db8::10,192.0.2.10"`, address, "primary family is IPv4"),
		bad("a pair for one family", `address: "192.0.2.10,2001:db8::10"`, address, "one address for each family"),
		bad("one address for two families", `ipFamilies: [IPv4, IPv6], address: "192.0.2.10"`, address, "one address for each family"),
		bad("a negative wait", "waitSeconds: -1", "waitSeconds", "from 0 to 600"),
		bad("too long a wait", "waitSeconds: 601", "waitSeconds", "from 0 to 600"),
		bad("a wait with a unit", "waitSeconds: 30s", "waitSeconds", "integer"),
		bad("an unknown way to publish", "publish: kubeadm", "publish", "must be EnvironmentFile, Kubeadm, K3s, RKE2 or None"),
		bad("an unknown policy for a missing address", "whenAddressMissing: Ignore", "whenAddressMissing", "must be Fail or Start"),
		bad("an unknown field", "interface: eth0", "interface", "no such field"),
		{Name: "node IP: an address for every node", YAML: section(`address: "192.0.2.10"`), RefusedBy: Schema, Field: "spec.nodeIP.address", Message: "no two nodes"},
		{Name: "node IP: not a section", YAML: document("nodeSelector: {}\nnodeIP: Detect"), RefusedBy: Everybody, Field: "spec.nodeIP", Message: "must be a mapping"},
	}
}

// manySubnets are more than are allowed.
func manySubnets() string {
	texts := make([]string, 17)
	for i := range texts {
		texts[i] = fmt.Sprintf("%q", fmt.Sprintf("10.%d.0.0/16", i))
	}
	return strings.Join(texts, ", ")
}
