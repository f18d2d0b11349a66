package sysctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// This file is the one table of what a write to one key changes in others. Each rule
// was tried on a kernel, and a test tries all of them again, and that nothing below
// net changes which no rule names.

// ipForward is the switch for all of IPv4 forwarding.
const ipForward Name = "net.ipv4.ip_forward"

// spread are the keys of IPv6 for which a write to all is a write to default and to
// every interface, also if all has the value already.
var spread = []string{
	"forwarding", "disable_ipv6", "ignore_routes_with_linkdown", "addr_gen_mode",
	"force_forwarding", // since 6.17
}

// notCopied are the keys of IPv4 that interfaces take over from default only when they
// are made. The others are copied to every interface on which they were never set;
// giving an interface an address counts as setting all of them.
var notCopied = []string{
	"forwarding", "mc_forwarding", "disable_xfrm", "disable_policy",
	"promote_secondaries", "route_localnet", "drop_unicast_in_l2_multicast",
}

// masters are the keys, other than those of interfaces' directories, with a rule.
var masters = map[Name]func(o *Operation, from, to string) ([]item.Effect, error){
	ipForward:                         (*Operation).forwardIPv4,
	"kernel.watchdog":                 (*Operation).switchWatchdogs,
	"net.ipv4.tcp_congestion_control": (*Operation).allowCongestionControl,
}

// isMaster reports whether a write to the key is a write to others, whatever they hold.
func isMaster(n Name) bool {
	if masters[n] != nil {
		return true
	}
	dir, link, attribute, ok := n.split()
	return ok && dir == "net.ipv6.conf" && link == allLinks && slices.Contains(spread, attribute)
}

// isCopied reports whether interfaces on which the key was never set take over a write
// to default.
func isCopied(dir, attribute string) bool {
	switch dir {
	case "net.ipv4.conf":
		return !slices.Contains(notCopied, attribute)
	case "net.ipv4.neigh", "net.ipv6.neigh":
		return !strings.HasPrefix(attribute, "gc_") // the table's own, not an interface's
	default:
		return false
	}
}

// Effects implements item.Coupler.
func (o *Operation) Effects(_ context.Context, k item.Key, from, to item.State) ([]item.Effect, error) {
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

func (o *Operation) effects(n Name, from, to string) ([]item.Effect, error) {
	if f := masters[n]; f != nil {
		return f(o, from, to)
	}
	dir, link, attribute, ok := n.split()
	switch {
	case ok && link == allLinks && isMaster(n):
		return o.toLinks(dir, attribute, true, follow(from, to))
	case ok && link == defaultLink && isCopied(dir, attribute):
		return o.toLinks(dir, attribute, false, follow(from, to))
	default:
		return nil, nil
	}
}

// follow is the effect on a key that holds its master's value.
func follow(from, to string) item.Effect {
	return item.Effect{Follows: item.Text(from), To: item.Text(to)}
}

// toLinks is one effect on an attribute of every present interface: forced, on default
// too, or only on those that follow.
func (o *Operation) toLinks(dir, attribute string, forced bool, e item.Effect) ([]item.Effect, error) {
	links, err := o.links(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	e.Forced = forced
	var effects []item.Effect
	for _, link := range links {
		if link == allLinks || link == defaultLink && !forced {
			continue
		}
		e.Key = Key(of(dir, link, attribute))
		effects = append(effects, e)
	}
	return effects, err
}

// forwardIPv4: ip_forward sets forwarding everywhere and turns the machine from a host,
// which accepts redirects, into a router, which does not. The kernel does so whenever
// the number changes, from 1 to 2 as well.
func (o *Operation) forwardIPv4(from, to string) ([]item.Effect, error) {
	effects, err := o.toLinks("net.ipv4.conf", "forwarding", true, follow(from, to))
	redirects := follow(not(from), not(to))
	redirects.Key, redirects.Forced = Key("net.ipv4.conf.all.accept_redirects"), true
	return append(effects, redirects), err
}

func not(number string) string {
	if number == "0" {
		return "1"
	}
	return "0"
}

// switchWatchdogs: watchdog switches both detectors. Each reads as 0 while the switch
// is off, and reading it then makes the kernel forget that it was on.
func (o *Operation) switchWatchdogs(from, to string) ([]item.Effect, error) {
	var effects []item.Effect
	for _, n := range []Name{"kernel.nmi_watchdog", "kernel.soft_watchdog"} {
		e := follow(from, to)
		e.Key, e.Forced = Key(n), true
		effects = append(effects, e)
	}
	return effects, nil
}

// allowCongestionControl: an algorithm that becomes the default becomes one that every
// program may choose, and stays so when the default is given back.
func (o *Operation) allowCongestionControl(_, to string) ([]item.Effect, error) {
	const allowed Name = "net.ipv4.tcp_allowed_congestion_control"
	text, err := o.m.Proc.ReadSysctl(allowed.Path())
	if err != nil || slices.Contains(strings.Fields(text), to) {
		return nil, ignoreMissing(err)
	}
	return []item.Effect{{Key: Key(allowed), To: Value(allowed, text+" "+to), Forced: true}}, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
