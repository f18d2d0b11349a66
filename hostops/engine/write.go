package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// updates are changes to both books.
type updates [2]map[item.Key]*item.Entry

// put replaces a record in the book it belongs into, and takes it from the other one: it
// moves, or it is void and what is recorded now belongs elsewhere, or a run died between the
// two.
func (r *run) put(u *updates, c *change, e *item.Entry) {
	if u[c.store] == nil {
		u[c.store] = make(map[item.Key]*item.Entry, len(r.order))
	}
	u.set(c.store, c.Key, e)
	other := item.Durable
	if c.store == item.Durable {
		other = item.Volatile
	}
	if r.engine.Ledger.Book(other).Entry(c.Key) != nil {
		u.set(other, c.Key, nil)
	}
}

func (u *updates) set(s item.Store, k item.Key, e *item.Entry) {
	if u[s] == nil {
		u[s] = map[item.Key]*item.Entry{}
	}
	u[s][k] = e
}

// write updates the durable book, then the volatile one.
func (r *run) write(u *updates) error {
	for _, store := range []item.Store{item.Durable, item.Volatile} {
		if err := r.engine.Ledger.Book(store).Update(u[store]); err != nil {
			return err
		}
	}
	return nil
}

// touchesHost reports whether anything but the ledger will be written.
func (r *run) touchesHost() bool {
	if r.boot.verb == item.Set {
		return true
	}
	for _, c := range r.order {
		if c.Verb.Writes() {
			return true
		}
	}
	return false
}

// writeAhead records what may become of the host before anything is done to it.
func (r *run) writeAhead() error {
	var u updates
	for _, c := range r.order {
		if stepper, ok := c.op.(item.Stepper); ok && c.Verb.Writes() {
			c.Touched = append(c.Touched, stepper.Steps(c.Got, c.To)...)
		}
		c.ahead = c.Ahead(r.boot.bootLine(c.Key))
		r.put(&u, c, c.ahead)
	}
	if !r.touchesHost() {
		return nil
	}
	if r.boot.verb == item.Set {
		u.set(item.Durable, r.stage.Boot.Key(), r.boot.ahead())
	}
	if err := r.write(&u); err != nil {
		return err
	}
	return r.engine.Ledger.Durable.Settle()
}

// writeBoot writes the boot file and looks at what is there afterwards.
func (r *run) writeBoot(ctx context.Context) {
	b := &r.boot
	if b.op == nil {
		return
	}
	k := r.stage.Boot.Key()
	if b.verb != item.Set {
		b.settleLeft(ctx, k)
		return
	}
	err := b.op.Apply(ctx, k, b.found, b.want)
	disk, lookErr := b.op.Observe(ctx, k)
	if err == nil && lookErr == nil && disk != b.want {
		err = &item.Error{Reason: "ReadBackMismatch", Message: fmt.Sprintf("%s has another content than was written", k.Path())}
	}
	b.disk, b.failed = disk, errors.Join(err, lookErr)
}

// inWritingOrder returns the changes as they are written: by rank and key, but nested
// items are given back last, and from the innermost.
func (r *run) inWritingOrder() []*change {
	nested := func(c *change) bool { return c.Traits.Nested && c.Verb == item.Restore }
	out := slices.DeleteFunc(slices.Clone(r.order), nested)
	for _, c := range slices.Backward(r.order) {
		if nested(c) {
			out = append(out, c)
		}
	}
	return out
}

// writeLive writes the live values, lowest rank first.
func (r *run) writeLive(ctx context.Context) {
	var b batch
	for _, c := range r.inWritingOrder() {
		if c.Verb.Writes() && !b.takes(c) {
			b.write(ctx)
		}
		switch {
		case r.engine.overtaken != nil:
			c.err = r.engine.overtaken
		case !c.Verb.Writes():
			c.settleLeft(ctx)
		case c.Verb == item.Restore && r.boot.stillLists(c):
			c.err = r.boot.failed // a reboot would set it again, and nobody would own it
		case c.Verb == item.Restore && c.carriedBy != nil && c.carriedBy.err != nil:
			c.err = c.carriedBy.err
		case b.takes(c):
			b.changes = append(b.changes, c)
		default:
			c.apply(ctx, r.engine)
		}
	}
	b.write(ctx)
	r.writeAgain(ctx)
}

// writeAgain tries once more what the kernel refused: some keys are bounds of others, and
// a value is only taken once its neighbour has been written.
func (r *run) writeAgain(ctx context.Context) {
	for _, c := range r.order {
		if c.tried && errors.Is(c.err, machine.ErrInvalid) {
			c.apply(ctx, r.engine)
		}
	}
}

func (c *change) apply(ctx context.Context, e *Engine) {
	c.tried = true
	if e.overtaken != nil {
		c.err = e.overtaken
		return
	}
	if c.done(ctx) {
		return
	}
	write := func() { c.err = c.op.Apply(ctx, c.Key, c.Got, c.To) }
	if c.Traits.Slow && e.Unlocked != nil {
		c.applyUnlocked(ctx, e, write)
		return
	}
	write()
}

// done reports whether a master's write has made the item right already. Writing it
// again would make it one that was set on its own.
func (c *change) done(ctx context.Context) bool {
	if len(c.Touched) == 0 {
		return false
	}
	s, err := c.op.Observe(ctx, c.Key)
	return err == nil && s == c.To
}

// readBack observes all that was written, after the last write. What reads otherwise is
// written once more: only what reads the same twice is the kernel's own form of it.
func (r *run) readBack(ctx context.Context) {
	first := map[*change]item.State{}
	for _, c := range r.lookBack(ctx) {
		if c.back.State != c.To {
			first[c] = c.back.State
			c.apply(ctx, r.engine)
		}
	}
	if len(first) == 0 {
		return
	}
	for _, c := range r.lookBack(ctx) {
		state, twice := first[c]
		c.back.Stable = twice && state.Known() && state == c.back.State
	}
}

// lookBack observes what was written, and returns it. That it cannot be seen is no sign of
// somebody else.
func (r *run) lookBack(ctx context.Context) []*change {
	written := make([]*change, 0, len(r.order))
	for _, c := range r.order {
		if c.tried && c.err == nil {
			written = append(written, c)
		}
	}
	for i, seen := range observe(ctx, written) {
		written[i].back.State, written[i].unread = seen.State, seen.Err
	}
	return written
}

// settle records what came of it.
func (r *run) settle() error {
	var u updates
	for _, c := range r.order {
		c.back.Line = r.boot.lineNow(c.Key)
		r.put(&u, c, r.settled(c))
	}
	if r.boot.op != nil && r.boot.found.Known() {
		u.set(item.Durable, r.stage.Boot.Key(), r.boot.settled())
	}
	return r.write(&u)
}

// settled returns the record of one item after the run.
func (r *run) settled(c *change) *item.Entry {
	giveBack := c.Verb == item.Restore || c.Verb == item.Release
	switch {
	case c.loose:
		return c.ahead
	case giveBack && r.boot.stillLists(c):
		return c.ahead
	case giveBack && errors.Is(c.err, item.ErrLeave) && !r.holdsOurs(c):
		return nil
	case giveBack && errors.Is(c.err, item.ErrLeave):
		return c.ahead
	default:
		return c.Settle(c.ahead, c.back)
	}
}

// holdsOurs reports whether something of another stage that is still recorded is in an item
// that was to be removed: it is left for that, and is no less ours.
func (r *run) holdsOurs(c *change) bool {
	if !c.Traits.Nested {
		return false
	}
	return slices.ContainsFunc(r.engine.Ledger.Keys(), func(k item.Key) bool {
		return r.changes[k] == nil && (k.Kind() == item.File || k.Kind() == item.Dir) && strings.HasPrefix(k.Path(), c.Key.Path()+"/")
	})
}
