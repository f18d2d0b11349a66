package nodeip

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Detection is what the rules make of a snapshot.
type Detection struct {
	// Addresses are the IPv4 address, then the IPv6 address if one is asked for.
	Addresses []netip.Addr
	// Links are the interfaces of the addresses.
	Links []string
	// Candidates are the addresses of the host with their verdicts: the chosen ones
	// first, then by interface and address. Those of pods are left out.
	Candidates []Candidate
	// Notes are sentences about what a person might want to decide otherwise.
	Notes []string
	// Provisional: a link that is switched on has no address yet, and one could make
	// the rules choose otherwise.
	Provisional bool
}

// String is the addresses as a kubelet takes them.
func (d *Detection) String() string {
	words := make([]string, len(d.Addresses))
	for i, a := range d.Addresses {
		words[i] = a.String()
	}
	return strings.Join(words, ",")
}

// Detect applies the rules to a snapshot. It is pure. The error is a *DetectionError; the
// candidates of the detection have their verdicts then, too.
func Detect(s *machine.Snapshot, w *Wish) (Detection, error) {
	c := &chooser{snapshot: s, wish: w}
	c.judge()
	var d Detection
	families := []bool{false}
	if w.DualStack {
		families = append(families, true)
	}
	var err error
	for _, v6 := range families {
		won := c.choose(v6)
		if won == nil {
			err = cmp.Or(err, error(c.failure(v6)))
			continue
		}
		d.Addresses = append(d.Addresses, won.addr())
		d.Links = append(d.Links, won.Link)
		d.Provisional = d.Provisional || c.fellBack && pending(s, v6)
		d.Notes = append(d.Notes, c.notes(won)...)
	}
	for i := range c.all {
		c.all[i].reject(OtherLink, "another one was chosen")
	}
	d.Candidates = inOrder(c.all)
	if e, ok := errors.AsType[*DetectionError](err); ok {
		e.Candidates = d.Candidates
		d.Addresses, d.Links = nil, nil // never half a pair
	}
	return d, err
}

// chooser is one choice in the making.
type chooser struct {
	snapshot *machine.Snapshot
	wish     *Wish
	all      []Candidate
	// first are the link of the chosen IPv4 address, then those its route leaves by.
	first []int
	// fellBack: the last choice was made without a default route.
	fellBack bool
}

// judge collects the addresses and gives those a verdict that can never be a node's.
func (c *chooser) judge() {
	for _, a := range c.snapshot.Addresses {
		l, ok := c.snapshot.Link(a.Link)
		if !ok || ofPods(l.Name) || l.Kind == "veth" && a.Prefix.Addr().IsLinkLocalUnicast() {
			continue
		}
		one := Candidate{Address: a.Prefix, Link: l.Name, at: a, link: l}
		one.Verdict, one.Why = c.wish.never(&a, &l)
		c.all = append(c.all, one)
	}
	// From here on nothing depends on the order in which the kernel lists things.
	slices.SortFunc(c.all, byPlace)
}

func byPlace(a, b Candidate) int {
	return cmp.Or(cmp.Compare(a.Link, b.Link), a.Address.Compare(b.Address), cmp.Compare(a.at.Link, b.at.Link))
}

// inOrder puts what people look for first on top.
func inOrder(all []Candidate) []Candidate {
	rank := func(c Candidate) int {
		switch {
		case c.Verdict == Chosen && !c.v6():
			return 0
		case c.Verdict == Chosen:
			return 1
		case c.Verdict == Contender:
			return 2
		case c.Verdict == Unreachable:
			return 4
		default:
			return 3
		}
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Or(rank(a)-rank(b), byPlace(a, b)) })
	return all
}

// open returns the candidates of a family that have no verdict yet.
func (c *chooser) open(v6 bool) []*Candidate {
	var out []*Candidate
	for i := range c.all {
		if one := &c.all[i]; one.open() && one.v6() == v6 {
			out = append(out, one)
		}
	}
	return out
}

// choose returns the address of a family, nil if there is none or more than one.
func (c *chooser) choose(v6 bool) *Candidate {
	c.fellBack = false
	pool := c.open(v6)
	if won, decided := c.onFirst(pool); decided {
		return won
	}
	if won, decided := c.byRoute(pool, c.hops(pool, v6)); decided {
		return won
	}
	c.fellBack = true
	return c.fallback(pool)
}

// onFirst chooses the second family's address on the link of the first one.
func (c *chooser) onFirst(pool []*Candidate) (won *Candidate, decided bool) {
	for _, link := range c.first {
		on := onLink(pool, link)
		if len(on) == 0 {
			continue
		}
		hops := slices.DeleteFunc(c.hops(pool, true), func(r machine.Route) bool { return r.Link != link })
		if won, decided = c.byRoute(on, hops); !decided {
			won = c.best(on, hops, "on the link of the IPv4 address")
		}
		return won, true
	}
	return nil, false
}

// byRoute chooses the address that the default route stands for. It is not decided if
// no route leads to one.
func (c *chooser) byRoute(pool []*Candidate, hops []machine.Route) (won *Candidate, decided bool) {
	hops = lowest(hops)
	if len(hops) == 0 {
		return nil, false
	}
	how := "default route, metric " + strconv.Itoa(metric(hops[0]))
	sources, links := c.named(pool, hops)
	switch {
	case len(sources) == 0 && len(links) == 0:
		return nil, false
	case len(sources) == 1 && (len(links) == 0 || len(links) == 1 && links[0] == sources[0].link.Index):
		won = sources[0]
		for _, other := range onLink(pool, won.link.Index) {
			if other != won {
				other.reject(NotRouteSource, "the default route has another source")
			}
		}
		won.Verdict, won.Why = Chosen, "source of the "+how
	case len(sources) == 0 && len(links) == 1:
		won = c.best(onLink(pool, links[0]), hops, how)
	default:
		contend(sources, "the source of one of several equal default routes")
		for _, link := range links {
			contend(onLink(pool, link), "equal default routes on several links")
		}
	}
	if won != nil {
		c.first = append(c.first, won.link.Index)
		for _, h := range hops {
			c.first = append(c.first, h.Link)
		}
	}
	c.passOver(pool)
	return won, true
}

// named returns the usable sources of routes, and the links of those routes that have
// none, as far as an address is on them. Both are sorted.
func (c *chooser) named(pool []*Candidate, hops []machine.Route) (sources []*Candidate, links []int) {
	for _, h := range hops {
		i := slices.IndexFunc(pool, func(p *Candidate) bool { return h.Source.IsValid() && p.addr() == h.Source })
		if i >= 0 {
			sources = append(sources, pool[i])
		} else if len(onLink(pool, h.Link)) > 0 {
			links = append(links, h.Link)
		}
	}
	slices.SortFunc(sources, func(a, b *Candidate) int { return byPlace(*a, *b) })
	slices.Sort(links)
	return slices.Compact(sources), slices.Compact(links)
}

// passOver tells why the addresses of other links were not chosen.
func (c *chooser) passOver(pool []*Candidate) {
	for _, p := range pool {
		routed := slices.ContainsFunc(c.snapshot.Routes, func(r machine.Route) bool {
			return r.Link == p.link.Index && r.IPv6 == p.v6()
		})
		if routed {
			p.reject(HigherMetric, "its default route has a higher metric")
		}
		p.reject(NoDefaultRoute, "no default route")
	}
}

// fallback chooses without a default route: only where the host has one address at all.
// Named subnets have named the links, too.
func (c *chooser) fallback(pool []*Candidate) *Candidate {
	var usual, bridges []*Candidate
	for _, p := range pool {
		v, why := aside(c.snapshot, &p.link)
		switch {
		case v == "" || len(c.wish.Subnets) > 0:
			usual = append(usual, p)
		case v == BridgeWithoutPort:
			bridges = append(bridges, p)
		default:
			p.reject(v, "%s", why)
		}
	}
	if len(usual) == 0 {
		usual, bridges = bridges, nil
	}
	for _, p := range bridges {
		p.reject(BridgeWithoutPort, "a bridge without a physical port")
	}
	switch len(usual) {
	case 0:
		return nil
	case 1:
		won := usual[0]
		won.Verdict, won.Why = Chosen, "the only one; there is no default route"
		c.first = append(c.first, won.link.Index)
		return won
	}
	contend(usual, "there is no default route to tell them apart")
	return nil
}

func contend(list []*Candidate, why string) {
	for _, p := range list {
		p.reject(Contender, "%s", why)
	}
}

func onLink(pool []*Candidate, link int) []*Candidate {
	var out []*Candidate
	for _, p := range pool {
		if p.link.Index == link && p.open() {
			out = append(out, p)
		}
	}
	return out
}
