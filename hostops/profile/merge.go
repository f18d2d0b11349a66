package profile

import (
	"cmp"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// merge decides about one setting. Profiles of one priority are merged first; if they
// disagree, none of them counts and the next layer decides. The result is nil if nobody
// who counts names the setting.
func merge(list []wish) (*wish, []Conflict) {
	slices.SortFunc(list, func(a, b wish) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.Source.Profile, b.Source.Profile))
	})
	var won *wish
	var conflicts []Conflict
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].priority == list[0].priority {
			n++
		}
		layer, agreed := mergeLayer(list[:n])
		if !agreed {
			conflicts = append(conflicts, conflict(list[:n]))
		} else if won = over(won, &layer); won.unmanaged {
			break // no lower layer may set it
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

// over puts a higher layer over a lower one.
func over(high, low *wish) *wish {
	if high == nil {
		return low
	}
	if low.unmanaged {
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
	case a.unmanaged != b.unmanaged:
		return nil, false
	case a.unmanaged:
		return a, true
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
	both := *won
	both.SkipMissing = a.SkipMissing && b.SkipMissing
	both.Required = a.Required || b.Required
	both.priority = max(a.priority, b.priority)
	return &both, true
}

func conflict(list []wish) Conflict {
	c := Conflict{Key: list[0].Key, Priority: list[0].priority}
	for _, w := range list {
		c.Profiles = append(c.Profiles, w.Source.Profile)
		c.Values = append(c.Values, w.describe())
	}
	return c
}

// describe is how a wish reads in a message.
func (w *wish) describe() string {
	switch {
	case w.unmanaged:
		return "unmanaged"
	case w.Compare == item.AtLeast:
		return ">= " + w.State.String()
	case w.Compare == item.AtMost:
		return "<= " + w.State.String()
	default:
		return w.State.String()
	}
}
