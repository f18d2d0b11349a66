package profile

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/item"
)

func directoryWishes(p *v1alpha1.HostProfile) []wish {
	var out []wish
	for _, d := range p.Spec.Directories {
		var uid, gid *int64
		if d.Owner != nil {
			uid, gid = d.Owner.UID, d.Owner.GID
		}
		out = append(out, wish{Want: item.Want{Key: dir.Key(d.Path), State: dir.Wish(d.Mode, uid, gid), Required: true}})
	}
	return out
}

// combineDirectories lets one wish say what the other leaves open.
func combineDirectories(a, b *wish) (*wish, bool) {
	state, ok := dir.Both(a.State, b.State)
	if !ok {
		return nil, false
	}
	won := *a
	if won.State != state && b.State == state {
		won = *b
	}
	won.State = state
	return joint(won, a, b), true
}
