package contention

import (
	"cmp"
	"slices"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// When a fight begins and ends, and how often we still repair in between.
const (
	Changes   = 3 // foreign changes of one item within Window begin a fight
	Window    = 10 * time.Minute
	Peace     = time.Hour        // without a foreign change ends it
	FirstWait = 30 * time.Second // doubles with each change that answers a repair
	LongWait  = 30 * time.Minute
)

// Fights are the items that others change. The zero value knows of none.
type Fights struct{ items map[item.Key]*fight }

// fight is one item that others change.
type fight struct {
	changes      []time.Time // of others, the last ones, oldest first
	repaired     time.Time   // when we set it last
	period       time.Duration
	contended    bool
	wait         time.Duration
	until        time.Time // no repair before
	ours, theirs item.State
	standing     bool      // their value was left in place
	seen         time.Time // when a run looked at it last
}

// Observe takes in what a run found.
func (f *Fights) Observe(results []item.Result, now time.Time) {
	for i := range results {
		f.observe(&results[i], now)
	}
	for k, it := range f.items {
		if it.over(now) {
			delete(f.items, k)
		}
	}
}

func (f *Fights) observe(r *item.Result, now time.Time) {
	theirs, changed := foreign(r)
	it := f.items[r.Key]
	if !changed {
		if it != nil {
			it.standing = false
		}
		return
	}
	if it == nil {
		if f.items == nil {
			f.items = map[item.Key]*fight{}
		}
		it = &fight{}
		f.items[r.Key] = it
	}
	it.seen = now
	if known := it.standing && it.theirs == theirs; !known {
		it.change(now)
	}
	it.ours, it.theirs = r.Want, theirs
	it.standing = r.Outcome == item.Failed
	if !it.standing {
		it.repaired = now
	}
	if it.contended && !it.standing {
		it.until = now.Add(it.wait) // from repair to repair
	}
}

// foreign returns the value that somebody else set, if somebody did.
func foreign(r *item.Result) (item.State, bool) {
	switch {
	case r.Drift:
		return r.Have, true
	case r.Outcome == item.Failed && r.Reason == "ReadBackMismatch":
		return r.Now, true
	default:
		return item.Unknown, false
	}
}

// change counts one foreign change.
func (it *fight) change(now time.Time) {
	it.measure(now)
	it.changes = append(it.changes, now)
	if n := len(it.changes); n > Changes {
		it.changes = slices.Clone(it.changes[n-Changes:])
	}
	switch {
	case it.contended:
		it.wait = min(2*it.wait, LongWait)
	case len(it.changes) >= Changes && now.Sub(it.changes[len(it.changes)-Changes]) <= Window:
		it.contended, it.wait = true, FirstWait
	default:
		return
	}
	it.until = now.Add(it.wait)
}

// measure learns from a change how often they write. While their value stands we see
// nothing of that: the period is no longer than from change to change, and no shorter than
// from our repair to the change.
func (it *fight) measure(now time.Time) {
	if len(it.changes) == 0 {
		return
	}
	last := it.changes[len(it.changes)-1]
	most, least := now.Sub(last), now.Sub(last)
	if it.repaired.After(last) {
		least = now.Sub(it.repaired)
	}
	it.period = min(max(it.period, least), most)
}

func (it *fight) over(now time.Time) bool {
	quiet := now.Sub(it.changes[len(it.changes)-1])
	if it.standing && now.Sub(it.seen) <= Window {
		return false // one that no run looks at any more is not wished, or gone
	}
	return quiet >= Peace || !it.contended && quiet > Window
}

// Waits reports whether an item is not to be repaired now.
func (f *Fights) Waits(k item.Key, now time.Time) bool {
	it := f.items[k]
	return it != nil && it.contended && now.Before(it.until)
}

// Waiting returns the items that are not to be repaired now.
func (f *Fights) Waiting(now time.Time) []item.Key {
	var keys []item.Key
	for k := range f.items {
		if f.Waits(k, now) {
			keys = append(keys, k)
		}
	}
	return keys
}

// Next returns when the state of an item changes by time alone; zero if none does.
func (f *Fights) Next(now time.Time) time.Time {
	var next time.Time
	for _, it := range f.items {
		if !it.contended {
			continue
		}
		at := it.until
		if !at.After(now) {
			at = it.changes[len(it.changes)-1].Add(Peace)
		}
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// Fight is what there is to say of one contended item.
type Fight struct {
	Key          item.Key
	Ours, Theirs item.State
	// Period is about how often they change it, zero if that is not known.
	Period time.Duration
}

// Contended returns the fights that go on, sorted by key.
func (f *Fights) Contended() []Fight {
	var out []Fight
	for k, it := range f.items {
		if it.contended {
			out = append(out, Fight{Key: k, Ours: it.ours, Theirs: it.theirs, Period: nearest(it.period)})
		}
	}
	slices.SortFunc(out, func(a, b Fight) int { return cmp.Compare(a.Key, b.Key) })
	return out
}
