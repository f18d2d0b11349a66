package profile

import (
	"net/netip"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// nodeIPWishes makes one wish of the section as a whole. Which address it stands for is
// decided on the host.
func nodeIPWishes(p *v1alpha1.HostProfile) []wish {
	n := p.Spec.NodeIP
	if n == nil {
		return nil
	}
	w := nodeip.Wish{
		DualStack: n.DualStack(), Subnets: prefixes(n.Subnets), Exclude: prefixes(n.ExcludeAddresses),
		Address: n.Address, Start: n.WhenAddressMissing == v1alpha1.MissingAddressStarts,
		Seconds: n.Wait(), Publish: nodeip.Publish(n.Publish),
	}
	if w.Publish == "" {
		w.Publish = nodeip.EnvironmentFile
	}
	return []wish{{Want: item.Want{Key: nodeip.SectionKey, State: w.State(), Required: true}}}
}

// prefixes leaves out what Validate refuses with its field.
func prefixes(texts []string) []netip.Prefix {
	var out []netip.Prefix
	for _, text := range texts {
		if p, err := nodeip.ParsePrefix(text); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func describeNodeIP(s item.State) string {
	w, err := nodeip.WishOf(s)
	if err != nil {
		return s.String()
	}
	return w.String()
}
