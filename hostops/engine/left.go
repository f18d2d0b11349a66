package engine

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// settleLeft makes an item durable that a run has changed which died, or failed, before it
// could do that itself. Only a record that was written ahead says that there may be one.
func settleLeft(ctx context.Context, op item.Operation, k item.Key, e *item.Entry) error {
	s, ok := op.(item.Settler)
	if !ok || e == nil || e.Phase != item.Pending {
		return nil
	}
	return s.Settle(ctx, k)
}

// settleLeft is for an item on which nothing is left to do. If it fails, the record stays
// as it was written ahead.
func (c *change) settleLeft(ctx context.Context) {
	if c.Verb == item.Blocked {
		return
	}
	if err := settleLeft(ctx, c.op, c.Key, c.Entry); err != nil {
		c.err, c.loose = err, true
	}
}

// settleLeft is the same for the boot file.
func (b *bootRun) settleLeft(ctx context.Context, k item.Key) {
	if err := settleLeft(ctx, b.op, k, b.entry); err != nil {
		b.failed, b.loose = err, true
	}
}
