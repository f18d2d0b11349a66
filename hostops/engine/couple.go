package engine

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// couple looks at every write to an item that others depend on in the kernel, and
// takes the dependants into the plan: what a write would disturb is written after it,
// and what giving a master back would take away is remembered.
func (r *run) couple(ctx context.Context) error {
	masters := r.order
	for _, m := range masters {
		coupler, ok := m.op.(item.Coupler)
		if !ok {
			continue
		}
		if err := r.coupleMaster(ctx, m, coupler); err != nil {
			return err
		}
	}
	if len(r.order) > len(masters) {
		r.sort()
	}
	return nil
}

func (r *run) coupleMaster(ctx context.Context, m *change, c item.Coupler) error {
	steps := []struct {
		needed   bool
		from, to item.State
		do       func(m, d *change, eff item.Effect)
	}{
		{m.isOurs(), m.Got, m.before(), learn},
		{m.Verb.Writes(), m.Got, m.To, disturb},
		{m.Entry != nil && !m.Verb.Writes(), m.target(), m.Got, follow},
		{m.ownedAfter(), m.live(), m.before(), remember},
	}
	for _, s := range steps {
		if !s.needed {
			continue
		}
		effects, err := c.Effects(ctx, m.Key, s.from, s.to)
		if err != nil {
			return err
		}
		for _, eff := range effects {
			if d := r.dependant(ctx, eff.Key, m.Verb.Writes()); d != nil {
				s.do(m, d, eff)
			}
		}
	}
	return nil
}

// dependant returns the decision about an item that depends on another. One that is
// neither wished nor recorded is looked at only if the other is written.
func (r *run) dependant(ctx context.Context, k item.Key, look bool) *change {
	d := r.changes[k]
	if d == nil && look {
		if d = r.take(k, nil); d != nil {
			r.plan(ctx, []*change{d})
		}
	}
	if d == nil || !d.Got.Present() {
		return nil
	}
	return d
}

// isOurs reports whether the item holds a value that only we gave it.
func (c *change) isOurs() bool { return c.Entry.Owns(c.Got) && c.Got != c.Entry.Before }

// target returns the value that we last asked for.
func (c *change) target() item.State {
	if c.Entry == nil {
		return item.Unknown
	}
	return c.Entry.Target
}

// learn: an item that has its value because its master has ours is as it would be
// without us only once the master is.
func learn(m, d *change, eff item.Effect) {
	if d.Got == eff.Follows && (d.Entry == nil || d.Rebase || d.Verb == item.Adopt) {
		d.Follows = m.Key
	}
}

// follow: a master that somebody else changed, and that is not written, moves what those
// that follow it would be without us.
func follow(m, d *change, eff item.Effect) {
	if d.Entry != nil && d.Entry.Follows == m.Key {
		moveBefore(d, eff.To)
	}
}

// ownedAfter reports whether the change leaves a record of a value that is ours.
func (c *change) ownedAfter() bool {
	switch c.Verb {
	case item.Set:
		return true
	case item.None, item.Confirm:
		return c.Entry != nil
	default:
		return false
	}
}

// live returns the value that the item has when the run is over.
func (c *change) live() item.State {
	if c.Verb == item.Set {
		return c.To
	}
	return c.Got
}

// before returns what giving the item back will give.
func (c *change) before() item.State {
	if c.Entry != nil {
		return c.Entry.Before
	}
	return c.Got
}

// remember: a record that nobody wishes, or that a bound does not need, is kept while giving
// the master back would make something else of the item than it was before us.
func remember(_, d *change, eff item.Effect) {
	if d.Entry == nil || d.Entry.Follows != "" || d.Entry.Before == eff.To || d.Row != 14 && d.Row != 15 {
		return
	}
	switch d.Verb {
	case item.Release:
		d.Verb, d.To = item.None, d.Got
	case item.Restore:
		d.Verb = item.Set // the state of before us, and the record stays
	}
}
