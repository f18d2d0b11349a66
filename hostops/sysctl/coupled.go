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

// masters are the keys, other than those of interfaces' directories, with a rule.
var masters = map[Name]rule{
	ipForward:                         (*Operation).forwardIPv4,
	watchdog:                          (*Operation).switchWatchdogs,
	softWatchdog:                      showWatchdogs(softWatchdog),
	nmiWatchdog:                       showWatchdogs(nmiWatchdog),
	"net.ipv4.tcp_congestion_control": (*Operation).allowCongestionControl,
	"net.mptcp.path_manager":          (*Operation).renamePathManager,
	"net.mptcp.pm_type":               (*Operation).numberPathManager,
}

// isMaster reports whether a write to the key is a write to others, whatever they hold.
func isMaster(n Name) bool {
	if masters[n] != nil {
		return true
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

// follow is the effect on a key that holds its master's value.
func follow(from, to string) item.Effect {
	return item.Effect{Follows: item.Text(from), To: item.Text(to)}
}

// toLinks is one effect on an attribute of every present interface, and of default if
// that is asked for. A kernel without the directory has none.
func (o *Operation) toLinks(dir, attribute string, withDefault bool, e item.Effect) ([]item.Effect, error) {
	links, err := o.links(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var effects []item.Effect
	for _, link := range links {
		if link == allLinks || link == defaultLink && !withDefault {
			continue
		}
		e.Key = Key(of(dir, link, attribute))
		effects = append(effects, e)
	}
	return effects, nil
}

// forwardIPv4: ip_forward sets forwarding everywhere and turns the machine from a host,
// which accepts redirects, into a router, which does not. The kernel does so whenever
// the number changes, from 1 to 2 as well.
func (o *Operation) forwardIPv4(from, to string) ([]item.Effect, error) {
	e := follow(from, to)
	e.Forced = true
	effects, err := o.toLinks("net.ipv4.conf", "forwarding", true, e)
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

// pathManagers are the numbers that the older key has for what the newer one names.
var pathManagers = map[string]string{"kernel": "0", "userspace": "1"}

// renamePathManager: path_manager, since 6.16, sets the older pm_type.
func (o *Operation) renamePathManager(from, to string) ([]item.Effect, error) {
	return o.present("net.mptcp.pm_type", pathManagers[from], pathManagers[to])
}

func (o *Operation) numberPathManager(from, to string) ([]item.Effect, error) {
	names := make(map[string]string)
	for name, number := range pathManagers {
		names[number] = name
	}
	return o.present("net.mptcp.path_manager", names[from], names[to])
}

// present is a forced effect on a key that not every kernel has.
func (o *Operation) present(n Name, from, to string) ([]item.Effect, error) {
	if _, err := o.m.Proc.ReadSysctl(n.Path()); err != nil || to == "" {
		return nil, ignoreMissing(err)
	}
	e := follow(from, to)
	e.Key, e.Forced = Key(n), true
	return []item.Effect{e}, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
