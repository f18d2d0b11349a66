package hostops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// What the chains of a cluster are called: those of Cilium, with the ones that it puts aside
// during an upgrade, and those of kube-proxy and the kubelet. With nftables, kube-proxy has
// tables of its own instead.
var clusterChains = []string{"CILIUM_", "OLD_CILIUM_", "KUBE-"}

const clusterTable = "kube-proxy"

// foreignRules tells of rules that a cluster left in the kernel. Where they cannot be seen,
// that is told, and keeps nobody from giving the host back.
func (h *Host) foreignRules(ctx context.Context) []Foreign {
	chains, err := h.machine.Network.Chains(ctx)
	if err != nil {
		return []Foreign{{"rules about packets", "not looked at: " + machine.Cause(err)}}
	}
	var out []Foreign
	for _, legacy := range []bool{false, true} {
		if f, some := foreignIn(chains, legacy); some {
			out = append(out, f)
		}
	}
	return out
}

// foreignIn is what one of the two kinds of tables has of a cluster.
func foreignIn(chains []machine.Chain, legacy bool) (Foreign, bool) {
	var groups, tables []string
	count := 0
	for _, c := range chains {
		if group := clusterGroup(c); group != "" && c.Legacy == legacy {
			groups, tables = append(groups, group), append(tables, c.Family+" "+c.Table)
			count++
		}
	}
	kind := "chains"
	if legacy {
		kind = "iptables-legacy"
	}
	return Foreign{
		fmt.Sprintf("%s %s (%d)", kind, strings.Join(distinct(groups), " "), count),
		"left in " + strings.Join(distinct(tables), ", ") + "; a reboot clears them. Flushing whole tables can cut off the host",
	}, count > 0
}

// clusterGroup is what a chain is counted under; empty if it is not a cluster's.
func clusterGroup(c machine.Chain) string {
	if c.Table == clusterTable && !c.Legacy {
		return clusterTable
	}
	for _, prefix := range clusterChains {
		if strings.HasPrefix(c.Name, prefix) {
			return prefix + "*"
		}
	}
	return ""
}

func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
