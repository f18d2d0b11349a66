package profile

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
	"github.com/hostprofile/hostprofile/hostops/swap"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

var compares = map[v1alpha1.Compare]item.Compare{
	"":               item.Exact,
	v1alpha1.Exact:   item.Exact,
	v1alpha1.AtLeast: item.AtLeast,
	v1alpha1.AtMost:  item.AtMost,
}

func sysctlWishes(p *v1alpha1.HostProfile) []wish {
	out := make([]wish, 0, len(p.Spec.Sysctls))
	for _, s := range p.Spec.Sysctls {
		name, err := sysctl.ParseName(s.Name)
		if err != nil {
			continue // Validate refuses it with its field
		}
		w := wish{Want: item.Want{
			Unmanaged:   s.Unmanaged,
			Key:         sysctl.Key(name),
			Compare:     compares[s.Compare],
			Required:    s.IfMissing != v1alpha1.Skip,
			SkipMissing: s.IfMissing == v1alpha1.Skip,
		}}
		w.Volatile = w.Compare != item.Exact
		if s.Value != nil {
			w.State = sysctl.Value(name, s.Value.Canonical())
		}
		out = append(out, w)
	}
	return out
}

func moduleWishes(p *v1alpha1.HostProfile) []wish {
	var out []wish
	for _, m := range p.Spec.KernelModules {
		out = append(out, wish{Want: item.Want{
			Key:         kmod.Key(m.Name),
			State:       kmod.Loaded,
			Required:    m.IfMissing != v1alpha1.Skip,
			SkipMissing: m.IfMissing == v1alpha1.Skip,
		}})
	}
	return out
}

func swapWishes(p *v1alpha1.HostProfile) []wish {
	switch p.Spec.Swap {
	case v1alpha1.SwapDisabled:
		return []wish{{Want: item.Want{Key: swap.All, State: item.Absent, Required: true}}}
	case v1alpha1.SwapKeep:
		return []wish{{Want: item.Want{Key: swap.All, Unmanaged: true}}}
	default:
		return nil
	}
}
