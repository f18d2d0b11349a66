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
		d = r.plan(ctx, k, nil)
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

// disturb takes one effect of a write to m into the plan.
func disturb(m, d *change, eff item.Effect) {
	follow(m, d, eff)
	if d.Entry != nil && d.Entry.Follows == m.Key {
		d.carriedBy = m
	}
	if d.Follows == m.Key {
		d.Moved = eff.To
	}
	follows := d.Got == eff.Follows
	switch {
	case d.Got == eff.To:
		if !follows {
			keepIndependent(m, d)
		}
	case follows || eff.Forced:
		d.Touched = append(d.Touched, eff.To)
		writeAfter(m, d, eff)
	}
}

// moveBefore moves what is given back along with the master that it follows.
func moveBefore(d *change, to item.State) {
	givenBack := d.Verb == item.Restore || d.Verb == item.Release && d.Got == d.Entry.Before && d.Entry.Owns(d.Got)
	d.Entry.Before = to
	if givenBack {
		d.To, d.Verb = to, item.Restore
	}
}

// writeAfter makes an item that is right now, and may not be after its master's write,
// part of the writes.
func writeAfter(m, d *change, eff item.Effect) {
	theirs := d.Entry != nil && !d.Entry.Owns(d.Got)
	switch {
	case d.Verb.Writes() || d.Verb == item.Blocked:
	case d.Verb == item.Release && d.Entry != nil && d.Got == d.Entry.Before:
		d.To, d.Verb = d.Got, item.Restore
	case d.Verb == item.Release && theirs && d.Got != eff.Follows:
		d.To, d.Verb = d.Got, item.Restore // what they have made of it
	case d.Verb == item.None && theirs && (d.Held || d.Drift):
		d.To, d.Verb = d.Got, item.PutBack // and it does not become ours
	case d.Entry == nil && d.Verb != item.Adopt:
		protect(m, d, eff)
	case d.Clamped:
		d.To, d.Verb = d.Entry.Target, item.Set
	case d.Verb != item.Release:
		d.To, d.Verb = d.Got, item.Set
	}
}

// leftAsFound reports whether somebody else changed an item since that is given back.
func (c *change) leftAsFound() bool { return c.Row == 16 }

// protect decides about an item that nobody here owns. One that somebody set on its own,
// or that is wished as it is, is put back. One that follows its master goes with it.
func protect(m, d *change, eff item.Effect) {
	switch follows := d.Got == eff.Follows; {
	case d.Want != nil && d.Follows == m.Key:
		d.To, d.Verb = d.Got, item.Set // it was right because of our master: from now on it is ours
	case d.Want != nil || !follows:
		d.To, d.Verb, d.store = d.Got, item.PutBack, item.Volatile
	case !eff.Forced && m.isOurs():
		carry(m, d, eff.To)
	}
}

// carry takes an item along that has our value because its master had it: the kernel
// does not count an interface as following that was made after the master was written.
func carry(m, d *change, to item.State) {
	d.Entry = &item.Entry{
		Before: to, Ours: []item.State{d.Got}, Target: d.Got, Settled: d.Got,
		Phase: item.Applied, Epoch: d.Traits.Epoch, Follows: m.Key,
	}
	d.To, d.Verb, d.store, d.carriedBy = to, item.Restore, item.Volatile, m
}

// keepIndependent records an item of somebody else that has the master's new value
// already and not because of the master: giving the master back would take it away.
func keepIndependent(m, d *change) {
	idle := d.Verb == item.None || d.Verb == item.Release // of a record that no longer stands for anything
	if m.Verb == item.Set && d.Entry == nil && d.Want == nil && idle {
		d.To, d.Verb, d.store = d.Got, item.Adopt, m.store
	}
}

// remember: a record that nobody wishes is kept while giving the master back would make
// something else of the item than it was before us.
func remember(_, d *change, eff item.Effect) {
	if d.Want != nil || d.Entry == nil || d.Entry.Follows != "" || d.Entry.Before == eff.To {
		return
	}
	switch {
	case d.Verb == item.Release && d.Row == 14:
		d.Verb, d.To = item.None, d.Got
	case d.Verb == item.Restore && !d.leftAsFound():
		d.Verb = item.Set // the state of before us, and the record stays
	}
}
