package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Compiled is what a set of profiles wishes of one host.
type Compiled struct {
	Desired item.Desired
	// Conflicts are the settings on which profiles of one priority disagree. They are
	// decided by the layers below, as if the profiles did not name them.
	Conflicts []Conflict
}

// Conflict is one setting that profiles of the same priority want differently.
type Conflict struct {
	Key      item.Key
	Priority int32
	Profiles []string // sorted
	Values   []string // of the profiles, in their order
	Base     bool     // the profiles are bootstrap's own
}

// Layer is a profile with its place among the others.
type Layer struct {
	Profile v1alpha1.HostProfile
	// Base: it comes from what bootstrap was given, and is below every other layer.
	Base bool
	// Hold: the profile keeps what it owns as it is, and takes no part in all else.
	Hold bool
}

// Owner returns the name of the profile whose wish an item on this host was last
// written for, empty if it is nobody's.
type Owner func(item.Key) string

// nobody owns anything: the host is new.
func nobody(item.Key) string { return "" }

// wish is what one profile says of one setting.
type wish struct {
	item.Want
	rank int64 // the higher one wins
}

// belowAll is the distance between bootstrap's own layers and the others: more than
// priorities can differ.
const belowAll = 1 << 33

// Compile merges profiles that are valid and select this host. It is pure, and the
// order of the profiles never matters: priority decides.
func Compile(profiles []v1alpha1.HostProfile) Compiled {
	layers := make([]Layer, len(profiles))
	for i, p := range profiles {
		layers[i].Profile = p
	}
	return CompileLayers(layers, nobody)
}

// CompileLayers merges layers on a host on which items have owners. A profile in
// conflict holds what it owns; what it does not own falls to the layers below.
func CompileLayers(layers []Layer, owner Owner) Compiled {
	lists := make([][]wish, len(layers))
	for i := range layers {
		lists[i] = layers[i].wishes(owner)
	}
	all := distrust(slices.Concat(lists...))
	slices.SortStableFunc(all, func(a, b wish) int { return cmp.Compare(a.Key, b.Key) })
	var c Compiled
	wants := make([]item.Want, 0, len(all))
	var patterns []wish
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Key == all[0].Key {
			n++
		}
		w, conflicts := merge(all[:n], owner(all[0].Key))
		all = all[n:]
		c.Conflicts = append(c.Conflicts, conflicts...)
		switch {
		case w == nil:
		case literalPrefix(w.Key) < 0:
			wants = append(wants, w.Want)
		default:
			patterns = append(patterns, *w)
		}
	}
	slices.SortFunc(patterns, comparePatterns)
	for i := range patterns {
		wants = append(wants, patterns[i].Want)
	}
	c.Desired.Wants = wants
	slices.SortFunc(c.Conflicts, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(b.Priority, a.Priority))
	})
	return c
}

// wishes returns what a layer says on a host. One that holds says so of what it owns,
// and of its patterns, whose lines stay in the boot file.
func (l *Layer) wishes(owner Owner) []wish {
	list := wishes(&l.Profile)
	for i := range list {
		w := &list[i]
		w.rank = int64(l.Profile.Spec.Priority)
		if l.Base {
			w.rank -= belowAll
		}
		w.Hold = l.Hold
	}
	if !l.Hold {
		return list
	}
	return slices.DeleteFunc(list, func(w wish) bool {
		return w.Unmanaged || literalPrefix(w.Key) < 0 && owner(w.Key) != l.Profile.Name
	})
}

// wishes returns all that one profile says, with keys and states in their canonical form.
func wishes(p *v1alpha1.HostProfile) []wish {
	out := slices.Concat(sysctlWishes(p), moduleWishes(p), swapWishes(p), mountWishes(p), directoryWishes(p), selinuxWishes(p), firewalldWishes(p), nodeIPWishes(p))
	for i := range out {
		out[i].Source = item.Source{Profile: p.Name, Generation: p.Generation}
	}
	return out
}

// comparePatterns puts patterns in ascending precedence: the longer literal prefix, then
// the higher priority, comes later and so wins.
func comparePatterns(a, b wish) int {
	return cmp.Or(cmp.Compare(literalPrefix(a.Key), literalPrefix(b.Key)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Key, b.Key))
}

// literalPrefix returns the length of the text before the first wildcard of a key, -1
// if it has none.
func literalPrefix(k item.Key) int { return strings.IndexAny(string(k), "*?") }
