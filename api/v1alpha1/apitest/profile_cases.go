package apitest

import (
	"fmt"
	"strings"
)

// goodProfiles are accepted by everybody.
func goodProfiles() []Case {
	return []Case{
		{Name: "a profile that only selects", YAML: document("nodeSelector: {}")},
		{Name: "a profile with every section", YAML: document(`
nodeSelector:
  matchLabels: {node-role.kubernetes.io/worker: ""}
priority: 100
sysctls:
- {name: net.ipv4.ip_forward, value: 1}
- {name: "net.ipv4.conf.lxc*.rp_filter", value: 0}
- {name: fs.inotify.max_user_instances, value: 8192, compare: AtLeast}
- {name: fs.file-max, value: "9223372036854775807"}
- {name: net.ipv4.tcp_rmem, value: "4096 87380 6291456"}
- {name: net.netfilter.nf_conntrack_max, value: 262144, ifMissing: Skip}
- {name: net.ipv4.tcp_tw_reuse, unmanaged: true}
kernelModules:
- {name: br_netfilter}
- {name: nf_conntrack, ifMissing: Skip}
swap: Disabled
firewalld:
  trustedInterfaces: [cilium_host, "lxc+"]
  untrustedInterfaces: [lxcbr0]`)},
		{Name: "swap that is kept", YAML: document("nodeSelector: {}\nswap: Keep")},
		{Name: "a profile that is enforced, and says so", YAML: document("nodeSelector: {}\nmode: Enforce\ndriftPolicy: Repair\npaused: false")},
		{Name: "a plan", YAML: document("nodeSelector: {}\nmode: Plan")},
		{Name: "a profile that is paused and reports drift", YAML: document("nodeSelector: {}\ndriftPolicy: Report\npaused: true")},
		{Name: "empty lists", YAML: document("nodeSelector: {}\nsysctls: []\nkernelModules: []")},
		{Name: "the lowest priority", YAML: document("nodeSelector: {}\npriority: -2147483648")},
		{Name: "as many sysctls as are allowed", YAML: sysctls(numbered(256)...)},
		{Name: "a CIS benchmark profile", YAML: cisBenchmark()},
	}
}

// cisBenchmark is the kernel part of a CIS benchmark for servers: it hardens, so that
// nothing of it may be refused.
func cisBenchmark() string {
	settings := []string{
		"net.ipv4.conf.all.send_redirects: 0", "net.ipv4.conf.default.send_redirects: 0",
		"net.ipv4.conf.all.accept_redirects: 0", "net.ipv4.conf.default.accept_redirects: 0",
		"net.ipv4.conf.all.secure_redirects: 0", "net.ipv4.conf.default.secure_redirects: 0",
		"net.ipv6.conf.all.accept_redirects: 0", "net.ipv6.conf.default.accept_redirects: 0",
		"net.ipv4.conf.all.accept_source_route: 0", "net.ipv4.conf.default.accept_source_route: 0",
		"net.ipv6.conf.all.accept_source_route: 0", "net.ipv6.conf.default.accept_source_route: 0",
		"net.ipv4.conf.all.route_localnet: 0",
		"net.ipv4.conf.all.log_martians: 1", "net.ipv4.conf.default.log_martians: 1",
		"net.ipv4.conf.all.rp_filter: 1", "net.ipv4.conf.default.rp_filter: 1",
		"net.ipv6.conf.all.accept_ra: 0", "net.ipv6.conf.default.accept_ra: 0",
		"net.ipv4.icmp_echo_ignore_broadcasts: 1", "net.ipv4.icmp_ignore_bogus_error_responses: 1",
		"net.ipv4.tcp_syncookies: 1", "net.core.bpf_jit_harden: 2",
		"kernel.randomize_va_space: 2", "kernel.kptr_restrict: 2", "kernel.dmesg_restrict: 1",
		"kernel.perf_event_paranoid: 3", "kernel.yama.ptrace_scope: 1", "kernel.sysrq: 0",
		"kernel.unprivileged_bpf_disabled: 1", "vm.mmap_min_addr: 65536",
		"fs.suid_dumpable: 0", "fs.protected_hardlinks: 1", "fs.protected_symlinks: 1",
		"fs.protected_fifos: 2", "fs.protected_regular: 2",
	}
	entries := make([]string, len(settings))
	for i, setting := range settings {
		name, value, _ := strings.Cut(setting, ": ")
		entries[i] = fmt.Sprintf("{name: %s, value: %s}", name, value)
	}
	return sysctls(entries...)
}

func numbered(n int) []string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf("{name: net.core.setting_%d, value: 1}", i)
	}
	return entries
}

// profileCases are about what is around the sections.
func profileCases() []Case {
	return []Case{
		{Name: "no name", YAML: strings.Replace(document("nodeSelector: {}"), "name: site", "labels: {a: b}", 1),
			RefusedBy: Everybody, Field: "metadata.name", Message: "a profile needs a name"},
		{Name: "a profile in upper case", YAML: strings.Replace(document("nodeSelector: {}"), "site", "Site_Workers", 1),
			RefusedBy: Everybody, Field: "metadata.name", Message: "lowercase RFC 1123"},
		{Name: "a namespace", YAML: strings.Replace(document("nodeSelector: {}"), "name: site", "name: site\n  namespace: default", 1),
			RefusedBy: NotSchema, Field: "metadata.namespace", Message: "not allowed"}, // the API server drops it
		{Name: "no spec", YAML: "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata:\n  name: site\n",
			RefusedBy: Everybody, Field: "spec.nodeSelector", Message: "nodeSelector: {}"},
		{Name: "an unknown section", YAML: document("nodeSelector: {}\nlimits: {}"),
			RefusedBy: Everybody, Field: "spec.limits", Message: "no such field"},
		{Name: "a misspelt section", YAML: document("nodeSelector: {}\nsysctl: []"),
			RefusedBy: Everybody, Field: "spec.sysctl", Message: "did you mean sysctls?"},
		{Name: "a section at the wrong level", YAML: document("nodeSelector: {}") + "sysctls: []\n",
			RefusedBy: Everybody, Field: "sysctls", Message: "below spec"},
		{Name: "a priority that is no int32", YAML: document("nodeSelector: {}\npriority: 2147483648"),
			RefusedBy: Everybody, Field: "spec.priority", Message: "must be from -2147483648 to 2147483647"},
		{Name: "a priority in quotes", YAML: document("nodeSelector: {}\npriority: \"100\""),
			RefusedBy: Everybody, Field: "spec.priority", Message: "remove the quotes"},
		{Name: "a priority that is a fraction", YAML: document("nodeSelector: {}\npriority: 1.5"),
			RefusedBy: Everybody, Field: "spec.priority", Message: "floating-point"},
		{Name: "an unknown word for swap", YAML: document("nodeSelector: {}\nswap: Enabled"),
			RefusedBy: Everybody, Field: "spec.swap", Message: "must be Keep or Disabled"},
		{Name: "a word for swap in lower case", YAML: document("nodeSelector: {}\nswap: disabled"),
			RefusedBy: Everybody, Field: "spec.swap", Message: "must be Keep or Disabled"},
		{Name: "an empty word for swap", YAML: document("nodeSelector: {}\nswap: \"\""),
			RefusedBy: NotValidate, Field: "spec.swap", Message: "is empty"}, // in Go, empty is absent
		{Name: "an unknown mode", YAML: document("nodeSelector: {}\nmode: Observe"),
			RefusedBy: Everybody, Field: "spec.mode", Message: "must be Enforce or Plan"},
		{Name: "a mode in lower case", YAML: document("nodeSelector: {}\nmode: plan"),
			RefusedBy: Everybody, Field: "spec.mode", Message: "must be Enforce or Plan"},
		{Name: "an empty mode", YAML: document("nodeSelector: {}\nmode: \"\""),
			RefusedBy: NotValidate, Field: "spec.mode", Message: "is empty"}, // in Go, empty is absent
		{Name: "an unknown policy for drift", YAML: document("nodeSelector: {}\ndriftPolicy: Ignore"),
			RefusedBy: Everybody, Field: "spec.driftPolicy", Message: "must be Repair or Report"},
		{Name: "paused in quotes", YAML: document("nodeSelector: {}\npaused: \"true\""),
			RefusedBy: Everybody, Field: "spec.paused", Message: "must be true or false; write true"},
		{Name: "paused as a word that only some YAML readers take for true", YAML: document("nodeSelector: {}\npaused: yes"),
			RefusedBy: Loader, Field: "spec.paused", Message: "must be true or false; write true"},
		{Name: "more sysctls than are allowed", YAML: sysctls(numbered(257)...),
			RefusedBy: Everybody, Field: "spec.sysctls", Message: "at most 256"},
		{Name: "more modules than are allowed", YAML: modules(numberedModules(129)...),
			RefusedBy: Everybody, Field: "spec.kernelModules", Message: "at most 128"},
	}
}

func numberedModules(n int) []string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf("{name: module_%d}", i)
	}
	return entries
}

// selectorCases are about nodeSelector, where a mistake must never mean every node.
func selectorCases() []Case {
	const field = "spec.nodeSelector"
	return []Case{
		{Name: "a selector by label", YAML: document("nodeSelector: {matchLabels: {pool: gpu}}")},
		{Name: "a selector by expression", YAML: document("nodeSelector: {matchExpressions: [{key: pool, operator: In, values: [gpu, cpu]}]}")},
		{Name: "no selector", YAML: document("swap: Keep"), RefusedBy: Everybody, Field: field, Message: "nodeSelector: {} for every node"},
		{Name: "a selector that is null", YAML: document("nodeSelector: ~"), RefusedBy: Everybody, Field: field, Message: "nodeSelector: {} for every node"},
		{Name: "a selector with nothing behind it", YAML: document("nodeSelector:\nswap: Keep"), RefusedBy: Everybody, Field: field, Message: "nodeSelector: {} for every node"},
		{Name: "a selector in lower case", YAML: document("nodeselector: {}"), RefusedBy: Everybody, Field: "spec.nodeselector", Message: "did you mean nodeSelector?"},
		{Name: "labels without matchLabels", YAML: document("nodeSelector: {pool: gpu}"), RefusedBy: Everybody, Field: field + ".pool", Message: "known are matchLabels or matchExpressions"},
		{Name: "a selector that is a list", YAML: document("nodeSelector: [pool]"), RefusedBy: Everybody, Field: field, Message: "is a list"},
		{Name: "a label value that YAML reads as a boolean", YAML: document("nodeSelector: {matchLabels: {gpu: true}}"),
			RefusedBy: Everybody, Field: field + ".matchLabels[gpu]", Message: `quote it: "true"`},
		{Name: "a label value that YAML reads as a number", YAML: document("nodeSelector: {matchLabels: {zone: 1}}"),
			RefusedBy: Everybody, Field: field + ".matchLabels[zone]", Message: `quote it: "1"`},
		{Name: "a label key that is none", YAML: document(`nodeSelector: {matchLabels: {"a b": c}}`), RefusedBy: NotSchema, Field: field + ".matchLabels", Message: "name part must consist of"},
		{Name: "an operator that is none", YAML: document("nodeSelector: {matchExpressions: [{key: pool, operator: Is, values: [gpu]}]}"),
			RefusedBy: NotSchema, Field: field + ".matchExpressions[0].operator", Message: "not a valid selector operator"},
		{Name: "an operator without its values", YAML: document("nodeSelector: {matchExpressions: [{key: pool, operator: In}]}"),
			RefusedBy: NotSchema, Field: field + ".matchExpressions[0].values", Message: "must be specified"},
	}
}
