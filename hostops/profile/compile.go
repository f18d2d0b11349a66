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
}

// wish is what one profile says of one setting.
type wish struct {
	item.Want
	priority  int32
	unmanaged bool
}

// Compile merges profiles that are valid and select this host. It is pure, and the
// order of the profiles never matters: priority decides.
func Compile(profiles []v1alpha1.HostProfile) Compiled {
	byKey := map[item.Key][]wish{}
	for i := range profiles {
		for _, w := range wishes(&profiles[i]) {
			byKey[w.Key] = append(byKey[w.Key], w)
		}
	}
	var c Compiled
	var merged []wish
	for _, list := range byKey {
		w, conflicts := merge(list)
		c.Conflicts = append(c.Conflicts, conflicts...)
		if w != nil {
			merged = append(merged, *w)
		}
	}
	slices.SortFunc(merged, compareWishes)
	for _, w := range merged {
		w.Unmanaged = w.unmanaged
		c.Desired.Wants = append(c.Desired.Wants, w.Want)
	}
	slices.SortFunc(c.Conflicts, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(b.Priority, a.Priority))
	})
	return c
}

// wishes returns all that one profile says, with keys and states in their canonical form.
func wishes(p *v1alpha1.HostProfile) []wish {
	out := slices.Concat(sysctlWishes(p), moduleWishes(p), swapWishes(p))
	for i := range out {
		out[i].priority = p.Spec.Priority
		out[i].Source = item.Source{Profile: p.Name, Generation: p.Generation}
	}
	return out
}

// compareWishes puts patterns in ascending precedence: the longer literal prefix, then
// the higher priority, comes later and so wins. All else is sorted by key.
func compareWishes(a, b wish) int {
	pa, pb := literalPrefix(a.Key), literalPrefix(b.Key)
	switch {
	case pa < 0 && pb < 0:
		return cmp.Compare(a.Key, b.Key)
	case pa < 0 || pb < 0:
		return cmp.Compare(pa, pb)
	default:
		return cmp.Or(cmp.Compare(pa, pb), cmp.Compare(a.priority, b.priority), cmp.Compare(a.Key, b.Key))
	}
}

// literalPrefix returns the length of the text before the first wildcard of a key, -1
// if it has none.
func literalPrefix(k item.Key) int { return strings.IndexAny(string(k), "*?") }
