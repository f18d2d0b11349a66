package profile

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/mount"
)

// mountWishes are one for each field. None is required: what the host's init has not
// mounted may be nothing that this cluster's network needs.
func mountWishes(p *v1alpha1.HostProfile) []wish {
	m := p.Spec.Mounts
	if m == nil {
		return nil
	}
	var out []wish
	switch m.BPFFS {
	case v1alpha1.BPFFSMounted:
		out = append(out, wish{Want: item.Want{Key: mount.BPFFS, State: mount.Mounted}})
	case v1alpha1.BPFFSKeep:
		out = append(out, wish{Want: item.Want{Key: mount.BPFFS, Unmanaged: true}})
	}
	switch m.RootPropagation {
	case v1alpha1.RootPropagationShared:
		out = append(out, wish{Want: item.Want{Key: mount.RootPropagation, State: mount.Shared}})
	case v1alpha1.RootPropagationKeep:
		out = append(out, wish{Want: item.Want{Key: mount.RootPropagation, Unmanaged: true}})
	}
	return out
}
