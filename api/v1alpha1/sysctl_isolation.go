package v1alpha1

import (
	"fmt"
	"math/big"
	"strings"
)

// isolationSysctl is a setting that separates processes, users or the host from each
// other. A profile may make it stricter and never laxer.
type isolationSysctl struct {
	family
	floor   int64 // the laxest allowed value, when larger is stricter
	ceiling int64 // the laxest allowed value, when smaller is stricter
	stricter
}

// stricter says which way a setting becomes stricter.
type stricter int

const (
	upwards stricter = iota
	downwards
	fewerBits
)

// harmlessSysRq are the magic keys that neither show memory nor signal processes: sync
// (16), remount read-only (32) and reboot (128).
const harmlessSysRq = 16 | 32 | 128

var isolationSysctls = []isolationSysctl{
	{family: names("kernel.kptr_restrict"), floor: 1},
	{family: names("kernel.dmesg_restrict"), floor: 1},
	{family: names("kernel.randomize_va_space"), floor: 2},
	{family: names("kernel.perf_event_paranoid"), floor: 2},
	{family: names("kernel.sysrq"), ceiling: harmlessSysRq, stricter: fewerBits},
	{family: names("fs.protected_*"), floor: 1},
	{family: names("fs.suid_dumpable"), ceiling: 0, stricter: downwards},
	{family: names("vm.mmap_min_addr"), floor: 65536},
	{family: names("net.core.bpf_jit_harden"), floor: 1},
	// Below zero, IPv6 refuses every routing header; zero is the kernel's default.
	{family: names("net.*.conf.*.accept_source_route"), ceiling: 0, stricter: downwards},
	{family: names("net.ipv4.conf.*.route_localnet"), ceiling: 0, stricter: downwards},
}

// isolationOf returns the rule for a setting that isolates.
func isolationOf(name SysctlName) (isolationSysctl, bool) {
	for _, rule := range isolationSysctls {
		if rule.cover(name) {
			return rule, true
		}
	}
	return isolationSysctl{}, false
}

// valueProblem says why a value lowers the isolation of the host, or nothing.
func (r isolationSysctl) valueProblem(value Value) string {
	// Decimal only: the schema reads no other notation.
	n, ok := integer(value.Text)
	if !ok || !r.allows(n) || strings.Contains(value.Text, "x") || strings.Contains(value.Text, "X") {
		return "lowers the isolation of the host; " + r.advice()
	}
	return ""
}

func (r isolationSysctl) allows(n *big.Int) bool {
	switch r.stricter {
	case upwards:
		return n.Cmp(big.NewInt(r.floor)) >= 0
	case downwards:
		return n.Cmp(big.NewInt(r.ceiling)) <= 0
	}
	return new(big.Int).AndNot(n, big.NewInt(r.ceiling)).Sign() == 0
}

func (r isolationSysctl) advice() string {
	switch r.stricter {
	case upwards:
		return fmt.Sprintf("write %d or more", r.floor)
	case downwards:
		return fmt.Sprintf("write %d or less", r.ceiling)
	}
	return "write 0, or a sum of 16 (sync), 32 (remount read-only) and 128 (reboot)"
}

// compareProblem says why a comparison could lower the isolation of a host that is
// stricter than the value, or nothing.
func (r isolationSysctl) compareProblem(compare Compare) string {
	switch {
	case compare == "" || compare == Exact:
		return ""
	case r.stricter == upwards && compare == AtMost, r.stricter == downwards && compare == AtLeast, r.stricter == fewerBits:
		return fmt.Sprintf("%s lowers the isolation of a host that is stricter already; write Exact", compare)
	}
	return ""
}
