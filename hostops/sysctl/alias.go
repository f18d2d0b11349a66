package sysctl

import (
	"maps"
	"slices"
	"strings"
)

// aliases are names of one kernel variable, each with the name that its item has.
var aliases = map[Name]Name{
	// One field of the namespace's devconf_all.
	"net.ipv4.conf.all.forwarding": "net.ipv4.ip_forward",
	// The module registers its limit twice; the short name is in the first network
	// namespace only.
	"net.nf_conntrack_max": "net.netfilter.nf_conntrack_max",
	// Both are max_huge_pages of the default size. They differ in whose memory policy
	// places the pages, and ours is the default one.
	"vm.nr_hugepages_mempolicy": "vm.nr_hugepages",
	// The limits of the first user namespace have two names since 4.11 and 5.13.
	"user.max_inotify_instances": "fs.inotify.max_user_instances",
	"user.max_inotify_watches":   "fs.inotify.max_user_watches",
	"user.max_fanotify_groups":   "fs.fanotify.max_user_groups",
	"user.max_fanotify_marks":    "fs.fanotify.max_user_marks",
}

// SecondNames returns the names that stand for an item of another name and in its unit.
func SecondNames() []Name { return slices.Sorted(maps.Keys(aliases)) }

// unit is an older name of a time, in a coarser unit than the newer one's milliseconds.
type unit struct {
	newer  string   // the newer last element
	factor uint64   // newer = older * factor
	dirs   []string // without the interface
}

// units are the older names by last element. procps refuses to set some of them, so a boot file must name the newer ones.
//
// Two older names stay items of their own, since nobody can read what their unit is:
// the retrans_time of IPv6 counts the kernel's ticks, and unres_qlen packets of a size
// that the kernel was built with. Setting one changes the newer key as well.
var units = map[string]unit{
	"retrans_time":        {"retrans_time_ms", 10, []string{"net.ipv4.neigh"}},
	"base_reachable_time": {"base_reachable_time_ms", 1000, []string{"net.ipv4.neigh", "net.ipv6.neigh"}},
	"gc_min_interval":     {"gc_min_interval_ms", 1000, []string{"net.ipv4.route", "net.ipv6.route"}},
}

// canonicalName returns the name of the item that n belongs to, and what a value of n
// must be multiplied by to be one of the item's.
func canonicalName(n Name) (Name, uint64) {
	if to, ok := aliases[n]; ok {
		return to, 1
	}
	attribute := n.attribute()
	u, ok := units[attribute]
	if !ok { // as for most names
		return n, 1
	}
	stem := strings.TrimSuffix(string(n), attribute)
	dir, _, _, ok := n.split()
	if !ok {
		dir = strings.TrimSuffix(stem, ".")
	}
	if !slices.Contains(u.dirs, dir) {
		return n, 1
	}
	return Name(stem + u.newer), u.factor
}

// olderNames returns the names in a coarser unit that an item also has.
func olderNames(n Name) []Name {
	var names []Name
	for attribute, u := range units {
		stem, ok := strings.CutSuffix(string(n), u.newer)
		if !ok {
			continue // as most names
		}
		o := Name(stem + attribute)
		if to, factor := canonicalName(o); to == n && factor != 1 {
			names = append(names, o)
		}
	}
	return names
}

// pair is two keys of which only the one that was written last is in force; the other
// then reads as 0.
type pair struct {
	ratio, amount Name
	// sticky: a write of the value that is there already changes nothing, so that a
	// ratio of 0 does not put an amount out of force.
	sticky bool
}

var pairs = []pair{
	{"vm.dirty_ratio", "vm.dirty_bytes", true},
	{"vm.dirty_background_ratio", "vm.dirty_background_bytes", true},
	{"vm.overcommit_ratio", "vm.overcommit_kbytes", false},
}

// pairOf returns the pair that a name is part of.
func pairOf(n Name) (pair, bool) {
	for _, p := range pairs {
		if n == p.ratio || n == p.amount {
			return p, true
		}
	}
	return pair{}, false
}
