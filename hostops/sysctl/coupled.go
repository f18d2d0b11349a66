package sysctl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// This file is the one table of what a write to one key changes in others. Each rule
// was tried on a kernel, and a test tries all of them again, and that nothing below
// net changes which no rule names.

// ipForward is the switch for all of IPv4 forwarding.
const ipForward Name = "net.ipv4.ip_forward"

// spread are the keys of IPv6 for which a write to all is a write to every interface,
// also if all has the value already, and whether to default too.
var spread = map[string]bool{
	"forwarding":                  true,
	"disable_ipv6":                true,
	"ignore_routes_with_linkdown": true,
	"addr_gen_mode":               true,
	"force_forwarding":            false, // since 6.17
}

// notCopied are the keys of IPv4 that interfaces take over from default only when they
// are made. The others are copied to every interface on which they were never set;
// giving an interface an address counts as setting all of them.
var notCopied = []string{
	"forwarding", "mc_forwarding", "disable_xfrm", "disable_policy",
	"promote_secondaries", "route_localnet", "drop_unicast_in_l2_multicast",
}

// rule says what a write of one key, from one text to another, changes in others.
type rule func(o *Operation, from, to string) ([]item.Effect, error)

// rules are those of single keys. Interfaces' directories have theirs above.
var rules = map[Name]rule{
	ipForward:                         (*Operation).forwardIPv4,
	watchdog:                          (*Operation).switchWatchdogs,
	softWatchdog:                      showWatchdogs(softWatchdog),
	nmiWatchdog:                       showWatchdogs(nmiWatchdog),
	"net.ipv4.tcp_congestion_control": (*Operation).allowCongestionControl,
	"net.mptcp.path_manager":          (*Operation).renamePathManager,
	"net.mptcp.pm_type":               (*Operation).numberPathManager,
}

// isMaster reports whether a write to the key is a write to others, whatever they hold.
// The keys of the two watchdogs only show in their switch.
func isMaster(n Name) bool {
	if rules[n] != nil {
		return n != softWatchdog && n != nmiWatchdog
	}
	dir, link, attribute, ok := n.split()
	_, spreads := spread[attribute]
	return ok && spreads && dir == ipv6Conf && link == allLinks
}

// isCopied reports whether interfaces on which the key was never set take over a write
// to default.
func isCopied(dir, attribute string) bool {
	switch dir {
	case "net.ipv4.conf":
		return !slices.Contains(notCopied, attribute)
	case "net.ipv4.neigh", "net.ipv6.neigh":
		return attribute != "gc_interval" && !strings.HasPrefix(attribute, "gc_thresh") // the table's own
	default:
		return false
	}
}

// Effects implements item.Coupler.
func (o *Operation) Effects(_ context.Context, k item.Key, from, to item.State) ([]item.Effect, error) {
	if !mayHaveEffects(Name(k.Name())) {
		return nil, nil
	}
	n, err := NameOf(k)
	if err != nil || !from.Present() || !to.Present() || from == to {
		return nil, err
	}
	effects, err := o.effects(n, from.Text(), to.Text())
	if err != nil {
		return nil, fmt.Errorf("what a write to sysctl %s changes: %w", n, err)
	}
	return effects, nil
}

// mayHaveEffects tells the few keys that are written to others from the many that are not.
func mayHaveEffects(n Name) bool {
	_, link, _, ok := n.split()
	return ok && (link == allLinks || link == defaultLink) || rules[n] != nil
}

func (o *Operation) effects(n Name, from, to string) ([]item.Effect, error) {
	if f := rules[n]; f != nil {
		return f(o, from, to)
	}
	dir, link, attribute, ok := n.split()
	e := follow(from, to)
	switch {
	case ok && link == allLinks && isMaster(n):
		e.Forced = true
		return o.toLinks(dir, attribute, spread[attribute], e)
	case ok && link == defaultLink && isCopied(dir, attribute):
		return o.toLinks(dir, attribute, false, e)
	default:
		return nil, nil
	}
}
