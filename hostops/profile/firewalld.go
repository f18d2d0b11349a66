package profile

import (
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// firewalldWishes are two for each interface, at run time and in firewalld's files. None
// is required: a host whose firewall cannot be changed is told, and may work all the same.
func firewalldWishes(p *v1alpha1.HostProfile) []wish {
	if p.Spec.Firewalld == nil {
		return nil
	}
	var out []wish
	add := func(zone string, names []v1alpha1.InterfaceName) {
		seen := map[string]bool{}
		for _, name := range names {
			if spelled := firewalld.Spell(string(name)); !seen[spelled] {
				seen[spelled] = true
				for _, k := range firewalld.Keys(zone, spelled) {
					out = append(out, wish{Want: item.Want{Key: k, State: item.Text(zone), SkipMissing: true}})
				}
			}
		}
	}
	add(firewalld.Trusted, p.Spec.Firewalld.TrustedInterfaces)
	add(firewalld.Default, p.Spec.Firewalld.UntrustedInterfaces)
	return out
}

// distrust takes the wishes to trust an interface away where any layer says not to.
func distrust(all []wish) []wish {
	not := map[item.Key]bool{}
	for _, w := range all {
		if r, ok := firewalld.Parse(w.Key); ok && r.Zone == firewalld.Default {
			r.Zone = firewalld.Trusted
			not[r.Key()] = true
		}
	}
	return slices.DeleteFunc(all, func(w wish) bool { return not[w.Key] })
}
