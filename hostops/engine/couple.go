package engine

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// couple looks at every write to an item that others depend on in the kernel, and
// takes the dependants into the plan: what a write would disturb is written after it,
// and what giving a master back would take away is remembered.
func (r *run) couple(ctx context.Context) error {
	masters := append([]*change(nil), r.order...)
	for _, m := range masters {
		coupler, ok := m.op.(item.Coupler)
		if !ok {
			continue
		}
		if err := r.coupleMaster(ctx, m, coupler); err != nil {
			return err
		}
	}
	r.sort()
	return nil
}

func (r *run) coupleMaster(ctx context.Context, m *change, c item.Coupler) error {
	if m.Verb.Writes() {
		effects, err := c.Effects(ctx, m.Key, m.Got, m.To)
		if err != nil {
			return err
		}
		for _, eff := range effects {
			r.disturb(ctx, m, eff)
		}
	}
	if !m.ownedAfter() {
		return nil
	}
	effects, err := c.Effects(ctx, m.Key, m.live(), m.before())
	if err != nil {
		return err
	}
	for _, eff := range effects {
		if d := r.changes[eff.Key]; d != nil {
			remember(m, d, eff)
		}
	}
	return nil
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

// disturb takes one effect of a write to m into the plan.
func (r *run) disturb(ctx context.Context, m *change, eff item.Effect) {
	d := r.changes[eff.Key]
	if d == nil {
		if d = r.plan(ctx, eff.Key, nil); d == nil {
			return
		}
	}
	if !d.Got.Present() {
		return
	}
	if d.Entry != nil && d.Entry.Follows == m.Key {
		d.Entry.Before = eff.To // what it would be without us moves with the master
		if d.Verb == item.Restore {
			d.To = eff.To
		}
	}
	follows := d.Got == eff.Follows
	if d.Got == eff.To || !eff.Forced && !follows {
		keepIndependent(m, d, eff)
		return
	}
	d.Touched = append(d.Touched, eff.To)
	r.writeAfter(d, follows)
}

// writeAfter makes an item that is right now, and would not be after its master's
// write, part of the writes.
func (r *run) writeAfter(d *change, follows bool) {
	switch {
	case d.Verb.Writes() || d.Verb == item.Blocked:
	case d.Verb == item.Release && d.Entry != nil && d.Got == d.Entry.Before:
		d.To, d.Verb = d.Got, item.Restore
	case d.Entry == nil && d.Verb != item.Adopt:
		d.protect(follows)
	case d.Clamped:
		d.To, d.Verb = d.Entry.Target, item.Set
	case d.Verb != item.Release:
		d.To, d.Verb = d.Got, item.Set
	}
}

// protect puts an item back that nobody here owns. One that merely follows its master,
// and that nobody wishes, is meant to go with it.
func (d *change) protect(follows bool) {
	if follows && d.Want == nil {
		return
	}
	d.To, d.Verb, d.store = d.Got, item.PutBack, item.Volatile
}

// keepIndependent records an item of somebody else that has the master's new value
// already and not because of the master: giving the master back would take it away.
func keepIndependent(m, d *change, eff item.Effect) {
	independent := eff.Forced && d.Got == eff.To && d.Got != eff.Follows
	if m.Verb == item.Set && independent && d.Entry == nil && d.Want == nil && d.Verb == item.None {
		d.To, d.Verb, d.store = d.Got, item.Adopt, m.store
	}
}

// remember looks at one dependant of a master that stays ours, and at what giving the
// master back would make of it. A record that nobody wishes is kept while that is not
// its own state of before us; a new record learns whether it follows.
func remember(m, d *change, eff item.Effect) {
	kept := d.Want == nil && d.Entry != nil && d.Entry.Follows == "" && eff.Forced && d.Entry.Before != eff.To
	switch {
	case kept && d.Verb == item.Release && d.Row == 14:
		d.Verb, d.To = item.None, d.Got
	case kept && d.Verb == item.Restore:
		d.Verb = item.Set // the value of before us, and the record stays
	case m.Got == m.live() && m.Got != m.before() && d.Got == eff.Follows:
		d.Follows = m.Key
	}
}
