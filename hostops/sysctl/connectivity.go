package sysctl

import (
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// CanCut reports whether a change of a setting can cut connections of the host or of what
// runs on it. It decides about marks and classes in reports, and about nothing else.
func CanCut(k item.Key, to item.State) bool {
	if k.Kind() != item.Sysctl {
		return false
	}
	n := Name(k.Name())
	switch last := n.attribute(); last {
	case "ip_forward", "forwarding", "disable_ipv6", acceptRA:
		return true
	case "rp_filter": // loosening it on one interface drops nothing
		_, link, _, ok := n.split()
		return to.Text() != "0" || ok && (link == allLinks || link == defaultLink)
	default:
		return strings.HasPrefix(last, "bridge-nf-call-")
	}
}
