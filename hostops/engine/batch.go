package engine

import (
	"context"
	"iter"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// groups goes through changes by operation, with where each group begins. Those of one
// operation stand together.
func groups(changes []*change) iter.Seq2[int, []item.Key] {
	return func(yield func(int, []item.Key) bool) {
		for from := 0; from < len(changes); {
			keys := make([]item.Key, 0, len(changes)-from)
			for _, c := range changes[from:] {
				if c.op != changes[from].op {
					break
				}
				keys = append(keys, c.Key)
			}
			if !yield(from, keys) {
				return
			}
			from += len(keys)
		}
	}
}

// traits returns the traits of changes, in their order.
func traits(changes []*change) []item.Traits {
	out := make([]item.Traits, 0, len(changes))
	for from, keys := range groups(changes) {
		op := changes[from].op
		if b, ok := op.(item.Batcher); ok {
			out = append(out, b.TraitsAll(keys)...)
			continue
		}
		for _, k := range keys {
			out = append(out, op.Traits(k))
		}
	}
	return out
}

// observe observes changes, and returns what was seen in their order.
func observe(ctx context.Context, changes []*change) []item.Observation {
	out := make([]item.Observation, 0, len(changes))
	for from, keys := range groups(changes) {
		op := changes[from].op
		if b, ok := op.(item.Batcher); ok {
			out = append(out, b.ObserveAll(ctx, keys)...)
			continue
		}
		for _, k := range keys {
			state, err := op.Observe(ctx, k)
			out = append(out, item.Observation{State: state, Err: err})
		}
	}
	return out
}

// batch are writes of one operation and one rank, which can be made in any order.
type batch struct{ changes []*change }

// takes reports whether a write can be made in any order with those before it. One that
// another write has changed already, or that can take long, is made on its own.
func (b *batch) takes(c *change) bool {
	if _, ok := c.op.(item.Batcher); !ok || len(c.Touched) > 0 || c.carriedBy != nil || c.Traits.Slow {
		return false
	}
	return len(b.changes) == 0 || b.changes[0].op == c.op && b.changes[0].Traits.Rank == c.Traits.Rank
}

// write makes the writes.
func (b *batch) write(ctx context.Context) {
	if len(b.changes) == 0 {
		return
	}
	steps := make([]item.Step, len(b.changes))
	for i, c := range b.changes {
		c.tried = true
		steps[i] = item.Step{Key: c.Key, From: c.Got, To: c.To}
	}
	op := b.changes[0].op.(item.Batcher)
	for i, err := range op.ApplyAll(ctx, steps) {
		b.changes[i].err = err
	}
	b.changes = b.changes[:0]
}
