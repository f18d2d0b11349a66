package engine

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// each calls do with the changes of each operation of the stage, and where each of them is
// among all.
func (r *run) each(changes []*change, do func(op item.Operation, keys []item.Key, at []int)) {
	for _, op := range r.stage.Operations {
		keys, at := make([]item.Key, 0, len(changes)), make([]int, 0, len(changes))
		for i, c := range changes {
			if c.op == op {
				keys, at = append(keys, c.Key), append(at, i)
			}
		}
		if len(keys) > 0 {
			do(op, keys, at)
		}
	}
}

// traits returns the traits of all changes, in their order.
func (r *run) traits(changes []*change) []item.Traits {
	out := make([]item.Traits, len(changes))
	r.each(changes, func(op item.Operation, keys []item.Key, at []int) {
		if b, ok := op.(item.Batcher); ok {
			for i, t := range b.TraitsAll(keys) {
				out[at[i]] = t
			}
			return
		}
		for i, k := range keys {
			out[at[i]] = op.Traits(k)
		}
	})
	return out
}

// observe observes all changes, and returns what was seen in their order.
func (r *run) observe(ctx context.Context, changes []*change) []item.Observation {
	out := make([]item.Observation, len(changes))
	r.each(changes, func(op item.Operation, keys []item.Key, at []int) {
		if b, ok := op.(item.Batcher); ok {
			for i, o := range b.ObserveAll(ctx, keys) {
				out[at[i]] = o
			}
			return
		}
		for i, k := range keys {
			out[at[i]].State, out[at[i]].Err = op.Observe(ctx, k)
		}
	})
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
