package profile

import (
	"cmp"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// merge decides about one setting. Profiles of one priority are merged first; if they
// disagree, the one that owns the setting holds it; if none does, none of them counts and
// the next layer decides. The result is nil if nobody who counts names the setting.
func merge(list []wish, owner string) (*wish, []Conflict) {
	if len(list) == 1 {
		return &list[0], nil // as for most settings
	}
	slices.SortFunc(list, func(a, b wish) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.Source.Profile, b.Source.Profile))
	})
	var won *wish
	var conflicts []Conflict
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].rank == list[0].rank {
			n++
		}
		layer, agreed := mergeLayer(list[:n])
		if !agreed {
			conflicts = append(conflicts, conflict(list[:n]))
			agreed = holds(list[:n], owner, &layer)
		}
		if agreed {
			if won = over(won, &layer); won.Unmanaged || won.Hold {
				break // no lower layer may set it
			}
		}
		list = list[n:]
	}
	return won, conflicts
}

// mergeLayer merges wishes of one priority; agreed is false if two of them exclude each
// other.
func mergeLayer(list []wish) (merged wish, agreed bool) {
	merged = list[0]
	for i := range list {
		for j := range list[:i] {
			if _, ok := combine(&list[i], &list[j]); !ok {
				return wish{}, false
			}
		}
	}
	for i := range list[1:] {
		both, _ := combine(&merged, &list[i+1])
		merged = *both
	}
	return merged, true
}

// holds makes the wish of the owner, if it is one of those in conflict, one that keeps
// what there is.
func holds(list []wish, owner string, held *wish) bool {
	for _, w := range list {
		if owner != "" && w.Source.Profile == owner {
			*held = w
			held.Hold = true
			return true
		}
	}
	return false
}

// over puts a higher layer over a lower one.
func over(high, low *wish) *wish {
	if high == nil {
		return low
	}
	if low.Unmanaged {
		return high
	}
	if both, ok := combine(high, low); ok {
		return both
	}
	return high
}

// combine returns the wish that satisfies both, if there is one: the stricter bound, or
// the exact value within the other's bound.
func combine(a, b *wish) (*wish, bool) {
	var won *wish
	switch {
	case a.Unmanaged != b.Unmanaged || a.Hold || b.Hold:
		return nil, false
	case a.Unmanaged:
		return a, true
	case a.Key.Kind() == item.Dir:
		return combineDirectories(a, b)
	case a.Compare == item.Exact && b.Holds(a.State):
		won = a
	case b.Compare == item.Exact && a.Holds(b.State):
		won = b
	case a.Compare == b.Compare && b.Holds(a.State):
		won = a
	case a.Compare == b.Compare && a.Holds(b.State):
		won = b
	default:
		return nil, false
	}
	return joint(*won, a, b), true
}

// joint is the wish that won over another, as far as it is the wish of both.
func joint(won wish, a, b *wish) *wish {
	won.SkipMissing = a.SkipMissing && b.SkipMissing
	won.Required = a.Required || b.Required
	won.rank = max(a.rank, b.rank)
	return &won
}

func conflict(list []wish) Conflict {
	c := Conflict{Key: list[0].Key, Priority: list[0].priority(), Base: list[0].isBase()}
	for _, w := range list {
		c.Profiles = append(c.Profiles, w.Source.Profile)
		c.Values = append(c.Values, w.describe())
	}
	return c
}

// priority is the profile's own number.
func (w *wish) priority() int32 {
	if w.isBase() {
		return int32(w.rank + belowAll)
	}
	return int32(w.rank)
}

func (w *wish) isBase() bool { return w.rank < -belowAll/2 }

// describe is how a wish reads in a message.
func (w *wish) describe() string {
	switch {
	case w.Unmanaged:
		return "unmanaged"
	case w.Key == nodeip.SectionKey:
		return describeNodeIP(w.State)
	case w.Compare == item.AtLeast:
		return ">= " + w.State.String()
	case w.Compare == item.AtMost:
		return "<= " + w.State.String()
	default:
		return w.State.String()
	}
}
