package host_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestRulesOfAClusterAreNamedAndStay: the real programs wrote them, into both kinds of tables
// that a kernel has.
func TestRulesOfAClusterAreNamedAndStay(t *testing.T) {
	const tools = "/run/tools"
	b := newBoxWith(t, testbed.SandboxOptions{Root: tools})
	in := func(argv ...string) string {
		t.Helper()
		return b.sh("chroot " + tools + " " + strings.Join(argv, " "))
	}
	b.up(0, "{name: net.ipv4.ip_forward, value: 1}")
	if said := b.bootstrap(0, "down", "--dry-run").Stdout; strings.Contains(said, "foreign") {
		t.Errorf("nothing is there, and it says\n%s", said)
	}
	in("iptables-nft", "-t nat -N KUBE-SERVICES")
	in("iptables-nft", "-t nat -A PREROUTING -j KUBE-SERVICES")
	in("ip6tables-nft", "-N CILIUM_INPUT")
	in("nft", "add table inet site")
	in("nft", "add chain inet site input")
	in("iptables-legacy", "-t mangle -N OLD_CILIUM_PRE_mangle")
	in("iptables-legacy", "-t mangle -A OLD_CILIUM_PRE_mangle -s 192.0.2.0/24 -m mark --mark 7 -j ACCEPT")
	in("iptables-legacy", "-t nat -N site")
	in("ip6tables-legacy", "-N KUBE-FIREWALL")
	before := rulesOf(in)
	for _, args := range [][]string{{"down", "--dry-run"}, {"down", "--yes", "--purge"}} {
		said := strings.Join(strings.Fields(b.bootstrap(0, args...).Stdout), " ")
		for _, line := range []string{
			"foreign chains CILIUM_* KUBE-* (2) left in ip nat, ip6 filter;",
			"foreign iptables-legacy KUBE-* OLD_CILIUM_* (2) left in ip mangle, ip6 filter;",
		} {
			if !strings.Contains(said, line) {
				t.Errorf("%v does not say %q: %s", args, line, said)
			}
		}
	}
	if after := rulesOf(in); after != before || !strings.Contains(after, "KUBE-SERVICES") {
		t.Errorf("there were\n%s\nand now\n%s", before, after)
	}
}

// rulesOf is all rules of the sandbox, without the lines that tell the time and packets.
func rulesOf(in func(...string) string) string {
	all := in("nft", "list ruleset")
	for _, save := range []string{"iptables-legacy-save", "ip6tables-legacy-save"} {
		for line := range strings.Lines(in(save)) {
			if !strings.HasPrefix(line, "#") {
				name, _, _ := strings.Cut(line, "[")
				all += "\n" + name
			}
		}
	}
	return all
}
