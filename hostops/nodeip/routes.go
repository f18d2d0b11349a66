package nodeip

import (
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// defaultMetric6 is what the kernel makes of an IPv6 route without a metric.
const defaultMetric6 = 1024

func metric(r machine.Route) int {
	if r.IPv6 && r.Metric == 0 {
		return defaultMetric6
	}
	return r.Metric
}

// hops returns the next hops that count. With subnets only those do that lead to an
// address in them.
func (c *chooser) hops(pool []*Candidate, v6 bool) []machine.Route {
	return slices.DeleteFunc(slices.Clone(c.snapshot.Routes), func(r machine.Route) bool {
		l, ok := c.snapshot.Link(r.Link)
		if !ok || r.IPv6 != v6 || !l.Up || l.Kind == kindDummy || ofPods(l.Name) {
			return true
		}
		return len(c.wish.Subnets) > 0 && !leads(pool, r)
	})
}

func leads(pool []*Candidate, r machine.Route) bool {
	return slices.ContainsFunc(pool, func(p *Candidate) bool {
		return p.link.Index == r.Link || r.Source.IsValid() && p.addr() == r.Source
	})
}

// lowest returns the next hops of the lowest metric.
func lowest(hops []machine.Route) []machine.Route {
	if len(hops) == 0 {
		return nil
	}
	least := metric(slices.MinFunc(hops, func(a, b machine.Route) int { return metric(a) - metric(b) }))
	return slices.DeleteFunc(slices.Clone(hops), func(r machine.Route) bool { return metric(r) != least })
}
