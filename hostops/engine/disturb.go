package engine

import "github.com/hostprofile/hostprofile/hostops/item"

// disturb takes one effect of a write to m into the plan.
func disturb(m, d *change, eff item.Effect) {
	follow(m, d, eff)
	if d.Entry != nil && d.Entry.Follows == m.Key {
		d.carriedBy = m
	}
	if d.Follows == m.Key {
		d.Moved, d.Touched = eff.To, append(d.Touched, d.Got) // which it has because of us
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
	case d.Verb == item.Adopt:
		d.Entry, d.To, d.Verb = nil, d.Got, item.Set // recorded anew, as it is
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
	theirs := d.Entry == nil || d.leftAsFound() && !d.Entry.Owns(d.Got)
	if m.Verb != item.Set || !idle || !theirs || d.Want != nil && !d.rightWithoutUs() {
		return
	}
	d.Entry, d.To, d.Verb, d.store = nil, d.Got, item.Adopt, m.store
	if d.Want != nil {
		d.store = item.Volatile
	}
}

// rightWithoutUs reports whether an item is as wished and nobody's record: a bound holds, or
// a pattern.
func (c *change) rightWithoutUs() bool { return c.Row == 4 }
