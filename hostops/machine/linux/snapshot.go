package linux

import (
	"context"
	"errors"
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// dumpTries is how often a dump is begun anew that the kernel could not keep consistent,
// because something changed meanwhile.
const dumpTries = 5

// Snapshot dumps links, addresses and routes over one netlink socket.
func (n *network) Snapshot(ctx context.Context) (s machine.Snapshot, err error) {
	h, err := netlink.NewHandle(unix.NETLINK_ROUTE)
	if err != nil {
		return s, failed("snapshot", "netlink", err)
	}
	defer h.Close()
	for range dumpTries {
		if err = ctx.Err(); err != nil {
			return machine.Snapshot{}, err
		}
		if s, err = dump(h); !errors.Is(err, netlink.ErrDumpInterrupted) {
			break
		}
	}
	if err != nil {
		return machine.Snapshot{}, failed("snapshot", "netlink", err)
	}
	return s, nil
}

func dump(h *netlink.Handle) (s machine.Snapshot, err error) {
	links, err := h.LinkList()
	if err != nil {
		return s, err
	}
	for _, l := range links {
		s.Links = append(s.Links, linkOf(l))
	}
	for _, family := range []int{netlink.FAMILY_V4, netlink.FAMILY_V6} {
		addresses, err := h.AddrList(nil, family)
		if err != nil {
			return s, err
		}
		for i := range addresses {
			if a, ok := addressOf(&addresses[i]); ok {
				s.Addresses = append(s.Addresses, a)
			}
		}
		routes, err := h.RouteListFiltered(family, &netlink.Route{Type: unix.RTN_UNICAST}, netlink.RT_FILTER_TYPE)
		if err != nil {
			return s, err
		}
		for i := range routes {
			s.Routes = append(s.Routes, hops(&routes[i], family == netlink.FAMILY_V6)...)
		}
	}
	return s, nil
}

func linkOf(l netlink.Link) machine.Link {
	a := l.Attrs()
	out := machine.Link{
		Index: a.Index, Name: a.Name, Master: a.MasterIndex,
		Up:       a.Flags&net.FlagUp != 0,
		Carrier:  a.OperState == netlink.OperUp || a.OperState == netlink.OperUnknown,
		Loopback: a.Flags&net.FlagLoopback != 0,
		Hardware: a.EncapType == "ether" || a.EncapType == "infiniband",
	}
	// The library's word for a link of which the kernel says no kind.
	if kind := l.Type(); kind != "device" {
		out.Kind = kind
	}
	return out
}

// addressOf leaves out addresses that a link does not have itself: a peer alone.
func addressOf(a *netlink.Addr) (machine.Address, bool) {
	if a.IPNet == nil {
		return machine.Address{}, false
	}
	ip, ok := netip.AddrFromSlice(a.IP)
	if !ok {
		return machine.Address{}, false
	}
	ip = ip.Unmap()
	bits, _ := a.Mask.Size()
	v6 := ip.Is6()
	return machine.Address{
		Link: a.LinkIndex, Prefix: netip.PrefixFrom(ip, bits),
		Global: a.Scope == unix.RT_SCOPE_UNIVERSE,
		// One flag, with a meaning for each family.
		Secondary:      !v6 && a.Flags&unix.IFA_F_SECONDARY != 0,
		Temporary:      v6 && a.Flags&unix.IFA_F_TEMPORARY != 0,
		Tentative:      a.Flags&unix.IFA_F_TENTATIVE != 0 && a.Flags&unix.IFA_F_OPTIMISTIC == 0,
		Duplicate:      a.Flags&unix.IFA_F_DADFAILED != 0,
		Retiring:       a.Flags&unix.IFA_F_DEPRECATED != 0,
		Autoconfigured: v6 && a.Flags&(unix.IFA_F_MANAGETEMPADDR|unix.IFA_F_STABLE_PRIVACY) != 0,
	}, true
}

// hops returns the next hops of a default route, none for any other route.
func hops(r *netlink.Route, v6 bool) []machine.Route {
	if !isDefault(r.Dst) {
		return nil
	}
	one := machine.Route{IPv6: v6, Link: r.LinkIndex, Metric: r.Priority, Gateway: addr(r.Gw), Source: addr(r.Src)}
	if len(r.MultiPath) == 0 {
		return []machine.Route{one}
	}
	var out []machine.Route
	for _, hop := range r.MultiPath {
		one.Link, one.Gateway = hop.LinkIndex, addr(hop.Gw)
		out = append(out, one)
	}
	return out
}

func isDefault(dst *net.IPNet) bool {
	if dst == nil {
		return true
	}
	ones, _ := dst.Mask.Size()
	return ones == 0 && dst.IP.IsUnspecified()
}

func addr(ip net.IP) netip.Addr {
	a, _ := netip.AddrFromSlice(ip)
	return a.Unmap()
}
