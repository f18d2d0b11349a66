package report

import (
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// CanCut reports whether a change of a setting can cut connections of the host or of what
// runs on it. It decides about a mark in the output, and about nothing else.
func CanCut(k item.Key, to item.State) bool {
	if k.Kind() != item.Sysctl {
		return false
	}
	e := strings.Split(k.Name(), ".")
	last := e[len(e)-1]
	switch {
	case k.Name() == "net.ipv4.ip_forward", last == "forwarding", last == "disable_ipv6", last == "accept_ra":
		return true
	case strings.HasPrefix(last, "bridge-nf-call-"):
		return true
	case last == "rp_filter": // loosening it on one interface drops nothing
		return to.Text() != "0" || len(e) == 5 && (e[3] == "all" || e[3] == "default")
	default:
		return false
	}
}

// loss says what giving a setting back takes from what runs on the host, empty if
// nothing that is worth a line.
func loss(k item.Key, to item.State) string {
	switch {
	case k.Name() == "net.ipv4.ip_forward" && to.Text() == "0":
		return "! the host stops routing: pods on it lose their network"
	case strings.HasPrefix(k.Name(), "net.bridge.bridge-nf-call-") && to.Text() == "0":
		return "! traffic between pods on one bridge passes Services by"
	case k.Kind() == item.Swap:
		return "! a kubelet refuses to start again while swap is in use"
	default:
		return ""
	}
}
