package nodeip

import (
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

const (
	kindBridge = "bridge"
	kindDummy  = "dummy"
	kindVRF    = "vrf"
)

// virtual are the kinds of links that something on the host made for itself.
var virtual = []string{"veth", "vxlan", "geneve", kindDummy}

// ofPods reports an interface of the cluster's own network, which exists because of the
// node and never carries its address.
func ofPods(name string) bool {
	return strings.HasPrefix(name, "lxc") || strings.HasPrefix(name, "cilium_")
}

// aside returns why a link is passed over unless a default route leaves by it or somebody
// names it; an empty verdict if it is not.
func aside(s *machine.Snapshot, l *machine.Link) (v Verdict, why string) {
	if master, ok := s.Link(l.Master); l.Master != 0 && ok {
		if master.Kind == kindVRF {
			return InVRF, "the link belongs to the VRF " + master.Name
		}
		return Enslaved, "the link belongs to " + master.Name
	}
	switch {
	case slices.Contains(virtual, l.Kind):
		return VirtualLink, "a " + l.Kind + " link"
	case !l.Hardware && !l.Loopback:
		return NoHardwareAddress, "the link has no hardware address, as those of VPNs"
	case l.Kind == kindBridge && !hasPhysicalPort(s, l.Index):
		return BridgeWithoutPort, "a bridge without a physical port"
	}
	return "", ""
}

// hasPhysicalPort reports whether a bridge leads out of the host: a VLAN or a bond does.
func hasPhysicalPort(s *machine.Snapshot, bridge int) bool {
	return slices.ContainsFunc(s.Links, func(l machine.Link) bool {
		return l.Master == bridge && l.Hardware && !slices.Contains(virtual, l.Kind) && l.Kind != "tun"
	})
}

// pending reports whether a link may still bring an address of a family: it is switched
// on, could carry the node, and has none yet.
func pending(s *machine.Snapshot, v6 bool) bool {
	return slices.ContainsFunc(s.Links, func(l machine.Link) bool {
		if v, _ := aside(s, &l); !l.Up || l.Loopback || v != "" || ofPods(l.Name) {
			return false
		}
		return !slices.ContainsFunc(s.Addresses, func(a machine.Address) bool {
			return a.Link == l.Index && a.Prefix.Addr().Is6() == v6 && a.Global && !a.Tentative && l.Carrier
		})
	})
}
