package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// run is one stage in the making.
type run struct {
	engine   *Engine
	stage    *Stage
	changes  map[item.Key]*change
	order    []*change // by rank, then key
	patterns []item.Want
	blocked  map[item.Key]*item.Error // wishes that must not be applied now
	boot     bootRun
	final    bool // everything is given back
}

// change is the decision about one item together with what happens to it.
type change struct {
	item.Change
	op        item.Operation
	store     item.Store  // the book that holds the record from now on
	ahead     *item.Entry // as written ahead
	err       error       // of the observation, then of the last write
	loose     bool        // as wished, and could not be made durable
	tried     bool        // written at least once
	carriedBy *change     // the master whose write decides what is given back
	back      item.ReadBack
	unread    error // of the observation after the last write
}

// gather collects the stage's items, those wished and those recorded, observes them
// and plans each.
func (r *run) gather(ctx context.Context, want item.Desired) error {
	wants, err := r.wishes(ctx, want)
	if err != nil {
		return err
	}
	if err := r.observeBoot(ctx); err != nil {
		return err
	}
	r.changes = make(map[item.Key]*change, len(wants))
	taken := make([]*change, 0, len(wants))
	for i := range wants {
		w := &wants[i]
		if r.changes[w.Key] != nil {
			return fmt.Errorf("%s is wished twice", w.Key)
		}
		if c := r.take(w.Key, w); c != nil {
			taken = append(taken, c)
		}
	}
	for _, op := range r.stage.Operations {
		for _, k := range r.owned(op) {
			if r.changes[k] == nil {
				taken = append(taken, r.take(k, nil))
			}
		}
	}
	r.plan(ctx, taken)
	r.sort()
	return nil
}

// take begins the change of one item. A key that no operation of the stage serves is another
// stage's: there is none.
func (r *run) take(k item.Key, w *item.Want) *change {
	op := r.stage.operation(k)
	if op == nil {
		return nil
	}
	c := &change{op: op}
	c.Key, c.Want = k, w
	r.changes[k] = c
	return c
}

// plan observes items and decides about each.
func (r *run) plan(ctx context.Context, taken []*change) {
	of := traits(taken)
	for i, seen := range observe(ctx, taken) {
		r.decide(taken[i], of[i], seen)
	}
	r.order = append(r.order, taken...)
}

func (r *run) decide(c *change, traits item.Traits, seen item.Observation) {
	k, w := c.Key, c.Want
	entry, old := r.engine.Ledger.Entry(k)
	c.store, c.err = placeRecord(&traits, w, entry, old), seen.Err
	if why := r.blocked[k]; why != nil && w != nil {
		held := *w
		held.Hold, w, c.err = true, &held, why
	}
	c.Change = item.Plan(item.Finding{
		Key: k, Want: w, Got: seen.State, Entry: entry, Traits: traits,
		Line: r.boot.line(k),
		Move: entry != nil && old != c.store,
	})
	if r.final && c.Verb == item.Blocked && errors.Is(seen.Err, fs.ErrNotExist) {
		c.Verb, c.Row = item.Release, 2 // its value is gone with it
	}
}

// placeRecord returns the book that an item's record belongs into, and takes the
// listing from items that only the volatile book holds. A durable record stays one,
// whatever is wished now: the boot file on disk may still list its item.
func placeRecord(t *item.Traits, w *item.Want, entry *item.Entry, old item.Store) item.Store {
	store := t.Store
	switch {
	case entry != nil && (old == item.Durable || w == nil):
		store = old
	case w != nil && w.Volatile:
		store = item.Volatile
	}
	t.Listed = t.Listed && store == item.Durable
	return store
}

// sort orders the changes by rank, then by key.
func (r *run) sort() {
	slices.SortFunc(r.order, func(a, b *change) int {
		if a.Traits.Rank != b.Traits.Rank {
			return a.Traits.Rank - b.Traits.Rank
		}
		return strings.Compare(string(a.Key), string(b.Key))
	})
}
