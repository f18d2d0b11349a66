package nodeip_test

import (
	"net/netip"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// host is the network of a host in the making.
type host struct{ machine.Snapshot }

// newHost has lo.
func newHost() *host {
	h := &host{}
	h.link("lo", func(l *machine.Link) { l.Loopback, l.Hardware = true, false })
	h.ip("lo", "127.0.0.1/8", local)
	h.ip("lo", "::1/128", local)
	return h
}

// link adds a network card, changed by the given functions.
func (h *host) link(name string, edit ...func(*machine.Link)) *host {
	l := machine.Link{Index: len(h.Links) + 1, Name: name, Up: true, Carrier: true, Hardware: true}
	for _, f := range edit {
		f(&l)
	}
	h.Links = append(h.Links, l)
	return h
}

func kind(k string) func(*machine.Link) { return func(l *machine.Link) { l.Kind = k } }
func (h *host) port(of string) func(*machine.Link) {
	return func(l *machine.Link) { l.Master = h.index(of) }
}

func bare(l *machine.Link)   { l.Hardware = false }
func down(l *machine.Link)   { l.Up, l.Carrier = false, false }
func noWire(l *machine.Link) { l.Carrier = false }

func (h *host) index(name string) int {
	for _, l := range h.Links {
		if l.Name == name {
			return l.Index
		}
	}
	return 0
}

// ip adds an address, changed by the given functions.
func (h *host) ip(link, cidr string, edit ...func(*machine.Address)) *host {
	a := machine.Address{Link: h.index(link), Prefix: netip.MustParsePrefix(cidr), Global: true}
	for _, f := range edit {
		f(&a)
	}
	h.Addresses = append(h.Addresses, a)
	return h
}

func local(a *machine.Address)      { a.Global = false }
func secondary(a *machine.Address)  { a.Secondary = true }
func temporary(a *machine.Address)  { a.Temporary = true }
func slaac(a *machine.Address)      { a.Autoconfigured = true }
func deprecated(a *machine.Address) { a.Retiring = true }
func tentative(a *machine.Address)  { a.Tentative = true }
func duplicate(a *machine.Address)  { a.Duplicate = true }

// d4 and d6 add a default route.
func (h *host) d4(link, gateway string, edit ...func(*machine.Route)) *host {
	r := machine.Route{Link: h.index(link)}
	r.Gateway, _ = netip.ParseAddr(gateway)
	return h.route(r, edit)
}

func (h *host) d6(link string, edit ...func(*machine.Route)) *host {
	return h.route(machine.Route{IPv6: true, Link: h.index(link), Gateway: netip.MustParseAddr("fe80::1")}, edit)
}

func (h *host) route(r machine.Route, edit []func(*machine.Route)) *host {
	for _, f := range edit {
		f(&r)
	}
	h.Routes = append(h.Routes, r)
	return h
}

func m(metric int) func(*machine.Route) { return func(r *machine.Route) { r.Metric = metric } }
func src(ip string) func(*machine.Route) {
	return func(r *machine.Route) { r.Source = netip.MustParseAddr(ip) }
}

// eth0 is the plain host that most rows begin with.
func eth0() *host { return newHost().link("eth0").ip("eth0", "192.0.2.10/24") }

// two is the plain host with a second card.
func two() *host { return eth0().link("eth1").ip("eth1", "198.51.100.10/24") }

// pair is the plain host with IPv6.
func pair() *host {
	return eth0().ip("eth0", "2001:db8::10/64").d4("eth0", "192.0.2.1").d6("eth0")
}

func prefixes(t *testing.T, texts ...string) []netip.Prefix {
	t.Helper()
	var out []netip.Prefix
	for _, text := range texts {
		p, err := nodeip.ParsePrefix(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// verdictOf returns what became of an address.
func verdictOf(d *nodeip.Detection, ip string) nodeip.Verdict {
	for _, c := range d.Candidates {
		if c.Address.Addr().String() == ip {
			return c.Verdict
		}
	}
	return "not listed"
}
