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
func traits(changes []*change) (out []item.Traits) {
	for from, keys := range groups(changes) {
		out = joined(out, traitsOf(changes[from].op, keys))
	}
	return out
}

func traitsOf(op item.Operation, keys []item.Key) []item.Traits {
	if b, ok := op.(item.Batcher); ok {
		return b.TraitsAll(keys)
	}
	out := make([]item.Traits, len(keys))
	for i, k := range keys {
		out[i] = op.Traits(k)
	}
	return out
}

// observe observes changes, and returns what was seen in their order.
func observe(ctx context.Context, changes []*change) (out []item.Observation) {
	for from, keys := range groups(changes) {
		out = joined(out, observations(ctx, changes[from].op, keys))
	}
	return out
}

func observations(ctx context.Context, op item.Operation, keys []item.Key) []item.Observation {
	if b, ok := op.(item.Batcher); ok {
		return b.ObserveAll(ctx, keys)
	}
	out := make([]item.Observation, len(keys))
	for i, k := range keys {
		out[i].State, out[i].Err = op.Observe(ctx, k)
	}
	return out
}

// joined is append that copies nothing where there is nothing to append to.
func joined[T any](all, more []T) []T {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
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
