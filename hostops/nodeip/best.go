package nodeip

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// preference is one way in which an address is better than another of the same link.
type preference struct {
	has     func(c *Candidate, hops []machine.Route) bool
	verdict Verdict
	why     string
}

// preferences4 and preferences6 are in order: an earlier one counts before all later.
var (
	preferences4 = []preference{
		{func(c *Candidate, _ []machine.Route) bool { return !c.Address.IsSingleIP() }, HostPrefix, "a /32 beside a network's address (a VIP?)"},
		{inGatewayNetwork, OtherNetwork, "not in the network of the gateway"},
		{func(c *Candidate, _ []machine.Route) bool { return !c.at.Secondary }, Secondary, "secondary"},
	}
	preferences6 = []preference{
		{func(c *Candidate, _ []machine.Route) bool { return !c.at.Autoconfigured }, Autoconfigured, "made from a router's advertisement"},
		{func(c *Candidate, _ []machine.Route) bool { return !isUniqueLocal(c.addr()) }, UniqueLocal, "unique local, beside a global one"},
	}
)

func inGatewayNetwork(c *Candidate, hops []machine.Route) bool {
	return slices.ContainsFunc(hops, func(r machine.Route) bool {
		return r.Link == c.link.Index && r.Gateway.IsValid() && !c.Address.IsSingleIP() && c.Address.Contains(r.Gateway)
	})
}

// isUniqueLocal: fc00::/7.
func isUniqueLocal(a netip.Addr) bool { return a.Is6() && a.IsPrivate() }

// best chooses among the addresses of one link, by one preference after the other. If
// more than one is left, none is chosen.
func (c *chooser) best(on []*Candidate, hops []machine.Route, how string) *Candidate {
	preferences := preferences4
	if on[0].v6() {
		preferences = preferences6
	}
	for _, p := range preferences {
		if !slices.ContainsFunc(on, func(one *Candidate) bool { return p.has(one, hops) }) {
			continue
		}
		on = slices.DeleteFunc(slices.Clone(on), func(one *Candidate) bool {
			if p.has(one, hops) {
				return false
			}
			one.reject(p.verdict, "%s", p.why)
			return true
		})
	}
	if len(on) > 1 {
		contend(on, "several alike on one link")
		return nil
	}
	on[0].Verdict, on[0].Why = Chosen, how
	return on[0]
}

// notes are what a person might want to decide otherwise about a chosen address.
func (c *chooser) notes(won *Candidate) []string {
	var out, elsewhere []string
	for i := range c.all {
		switch o := &c.all[i]; {
		case o.v6() != won.v6() || o == won:
		case o.Verdict == Autoconfigured && o.Link == won.Link && won.Address.IsSingleIP():
			out = append(out, won.addr().String()+" is a /128 beside "+o.addr().String()+
				": if it is a VIP and not DHCPv6's, name it in excludeAddresses")
		case o.Verdict == UniqueLocal && o.Link == won.Link:
			out = append(out, "there is the unique local address "+o.addr().String()+", too; subnets can choose it")
		case o.Verdict == NoDefaultRoute || o.Verdict == HigherMetric:
			if v, _ := aside(c.snapshot, &o.link); v == "" {
				elsewhere = append(elsewhere, o.Link+" has "+o.addr().String())
			}
		}
	}
	if len(elsewhere) > 0 {
		out = append(out, strings.Join(elsewhere, " and ")+", too; subnets can choose another one than "+won.addr().String())
	}
	return out
}
