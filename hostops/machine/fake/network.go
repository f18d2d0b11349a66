package fake

import (
	"context"
	"net/netip"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// wire is what a link is, its addresses and the default routes over it. Slices are
// replaced, never changed, so that a copy of a host is its own.
type wire struct {
	link      machine.Link
	addresses []machine.Address
	routes    []machine.Route
}

// bridge is a new link: nobody switched it on.
func bridge() wire {
	return wire{link: machine.Link{Kind: "bridge", Hardware: true}}
}

// wireOf is a link that a boot makes: lo with its address, else a network card.
func wireOf(name string, alone bool) wire {
	if name != "lo" {
		return wire{link: machine.Link{Up: true, Carrier: true, Hardware: true}}
	}
	w := wire{link: machine.Link{Loopback: true, Up: !alone, Carrier: !alone}}
	if !alone {
		w.addresses = []machine.Address{{Prefix: netip.MustParsePrefix("127.0.0.1/8")}}
	}
	return w
}

// SetLink changes what a link is, and makes it if it is not there. Name and index stay.
func (h *Host) SetLink(name string, change func(*machine.Link)) {
	h.AddLink(name)
	h.rewire(name, func(w *wire) { change(&w.link) })
}

// SetMaster puts a link into a bridge, a bond or a VRF.
func (h *Host) SetMaster(name, master string) {
	h.mu.Lock()
	i := h.links.find(master)
	h.mu.Unlock()
	if i >= 0 {
		h.rewire(name, func(w *wire) { w.link.Master = h.links.list[i].index })
	}
}

// AddIP gives a link an address of global scope, changed by the given functions.
func (h *Host) AddIP(name, cidr string, edit ...func(*machine.Address)) {
	a := machine.Address{Prefix: netip.MustParsePrefix(cidr), Global: true}
	for _, f := range edit {
		f(&a)
	}
	h.rewire(name, func(w *wire) { w.addresses = append(slices.Clone(w.addresses), a) })
	if a.Prefix.Addr().Is4() {
		h.AddAddress(name)
	}
}

// RemoveIP takes an address away.
func (h *Host) RemoveIP(name, ip string) {
	h.rewire(name, func(w *wire) {
		w.addresses = slices.DeleteFunc(slices.Clone(w.addresses), func(a machine.Address) bool {
			return a.Prefix.Addr() == netip.MustParseAddr(ip)
		})
	})
}

// AddDefaultRoute adds a default route over a link. Both the gateway and the source may
// be empty.
func (h *Host) AddDefaultRoute(name, gateway, source string, metric int) {
	r := machine.Route{Metric: metric}
	r.Gateway, _ = netip.ParseAddr(gateway)
	r.Source, _ = netip.ParseAddr(source)
	r.IPv6 = r.Gateway.Is6() || r.Source.Is6()
	h.rewire(name, func(w *wire) { w.routes = append(slices.Clone(w.routes), r) })
}

func (h *Host) rewire(name string, change func(*wire)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := h.links.find(name); i >= 0 {
		change(&h.links.list[i].wire)
		h.changed()
	}
}

// changed tells all who wait for the network.
func (h *Host) changed() {
	for _, c := range h.watchers {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Snapshot implements machine.Network.
func (p *Process) Snapshot(ctx context.Context) (s machine.Snapshot, err error) {
	err = p.enter()
	defer p.host.mu.Unlock()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return s, err
	}
	for _, l := range p.host.links.list {
		about := l.wire.link
		about.Name, about.Index = l.name, l.index
		s.Links = append(s.Links, about)
		for _, a := range l.wire.addresses {
			a.Link = l.index
			s.Addresses = append(s.Addresses, a)
		}
		for _, r := range l.wire.routes {
			r.Link = l.index
			s.Routes = append(s.Routes, r)
		}
	}
	return s, nil
}

// Changes implements machine.Network.
func (p *Process) Changes(ctx context.Context) (<-chan struct{}, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	c := make(chan struct{}, 1)
	h.watchers = append(h.watchers, c)
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.watchers = slices.DeleteFunc(h.watchers, func(o chan struct{}) bool { return o == c })
		close(c)
	})
	return c, nil
}
