package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// ErrOvertaken: while a run had given up the lock for a slow write, another one changed what
// it rests on, or has the lock still. It has written nothing since.
var ErrOvertaken = errors.New("another run has taken over")

var errReleased = errors.New("it has released what this one was changing")

// applyUnlocked makes a slow write. What another run has released meanwhile nobody would give
// back any more: the write is taken back.
func (c *change) applyUnlocked(ctx context.Context, e *Engine, write func()) {
	lost := e.Unlocked(ctx, write)
	if entry, _ := e.Ledger.Entry(c.Key); entry == nil && c.Verb == item.Set {
		lost = errors.Join(lost, errReleased)
		c.takeBack(context.WithoutCancel(ctx))
	}
	if lost != nil {
		e.overtaken = fmt.Errorf("%w: %w", ErrOvertaken, lost)
	}
}

func (c *change) takeBack(ctx context.Context) {
	if now, err := c.op.Observe(ctx, c.Key); err == nil && now == c.To {
		c.err = errors.Join(errReleased, c.op.Apply(ctx, c.Key, c.To, c.Got))
	}
}
