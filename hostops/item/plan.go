package item

// Finding is all that Plan looks at: one item's wish, observation and record.
type Finding struct {
	Key    Key
	Want   *Want // nil: nothing is wanted
	Got    State
	Entry  *Entry // nil: nothing is owned
	Traits Traits
	// Line is what the boot file on disk sets, as far as it is our own text.
	Line Line
	// Move: the entry stands in the volatile ledger and belongs into the durable one.
	Move bool
}

// Line is what the stage's boot file on disk says of one item.
type Line struct {
	// State is the value that the file sets; Absent if it does not name the item.
	State State
	// Ours: the file's content is one that we wrote or are writing. A file with a
	// foreign content proves nothing about what it does not name.
	Ours bool
}

// value returns the line's value if it is our own, else Unknown.
func (l Line) value() State {
	if l.Ours && l.State.Present() {
		return l.State
	}
	return Unknown
}

// Verb is what a Change does.
type Verb uint8

const (
	None    Verb = iota // nothing to do
	Blocked             // the item cannot be observed: the entry is kept, nothing is written
	Adopt               // already as wanted: record it, so that it can be listed and given back
	Confirm             // the host is right, the record is brought up to date
	Set                 // write the wanted state
	Restore             // write the state of before us, then release
	Release             // drop the record, the host stays as it is
	PutBack             // write again what a master's write takes away; nothing is owned because of that
	Prepare             // leave it to the next boot: record it without what was there before, and list it
)

var verbNames = [...]string{"none", "blocked", "adopt", "confirm", "set", "restore", "release", "put back", "prepare"}

func (v Verb) String() string { return verbNames[v] }

// Writes reports whether the verb writes to the host.
func (v Verb) Writes() bool { return v == Set || v == Restore || v == PutBack }

// Change is the decision about one item.
type Change struct {
	Key  Key
	Verb Verb
	// Row is the row of the decision table that decided (docs/ledger.md).
	Row  int
	Want *Want
	Got  State
	To   State // what Set, Restore and PutBack write; what Adopt and Confirm record
	// Entry is the record that the decision rests on, without a void one; nil if none.
	Entry  *Entry
	Traits Traits
	Line   Line

	Stored  bool // the ledger holds a record, void or not
	Rebase  bool // the found state replaces Before, once it is proved not to be ours
	Drift   bool // somebody changed what we had applied
	Clamped bool // the kernel holds another value than the wanted one
	Held    bool // held by its profile: neither written nor restored
	Move    bool
	Touched []State // what a master's write, or a part of its own, may make of the item
	Follows Key     // the owned master that Got follows, for a new record
	Moved   State   // what Got becomes without us as that master is written; Unknown if it stays
}

// listable reports whether the boot file may list the item under its present wish.
func (c *Change) listable() bool {
	return c.Traits.Listed && (c.Want == nil || !c.Want.Volatile)
}

// Plan decides about one item, by the decision table. It is pure.
func Plan(f Finding) Change {
	if f.Traits.NextBoot {
		return planNextBoot(f)
	}
	if f.Got == Absent && f.Key.Kind() == Sysctl && f.Traits.Listed {
		f.Got = Unknown // the interface may come back, and the boot file names the key
	}
	c := Change{Key: f.Key, Want: f.Want, Got: f.Got, Traits: f.Traits, Line: f.Line, Stored: f.Entry != nil, Move: f.Move}
	if f.Entry != nil && !void(f) {
		e := f.Entry.Clone()
		resolveAlt(&e, f)
		c.Entry = &e
	}
	want, satisfied := c.resolve()
	switch {
	case c.Held && want == nil:
		c.decide(None, 0)
	case satisfied:
		c.decide(c.dropVoid(), 4)
	case want == nil:
		c.planRelease()
	default:
		c.To = *want
		c.planWish()
	}
	return c
}

// planNextBoot decides about an item that only the next boot shows. Nothing of ours is live,
// so that a record goes as it comes; what is wished, the boot file sets.
func planNextBoot(f Finding) Change {
	c := Change{Key: f.Key, Want: f.Want, Got: Unknown, Entry: f.Entry, Traits: f.Traits, Line: f.Line, Stored: f.Entry != nil}
	switch {
	case f.Want == nil && f.Entry == nil:
	case f.Want == nil:
		c.decide(Release, 18)
	default:
		c.To = f.Want.State
		c.decide(None, 17)
		if f.Entry == nil || f.Entry.Target != c.To || f.Entry.Owner != f.Want.Source {
			c.decide(Prepare, 17)
		}
	}
	return c
}

func (c *Change) decide(v Verb, row int) { c.Verb, c.Row = v, row }

// dropVoid releases a record that no longer stands for anything.
func (c *Change) dropVoid() Verb {
	if c.Stored && c.Entry == nil {
		return Release
	}
	return None
}

// void reports whether nothing of ours can be live: another boot or interface, and no
// file of ours that set the value.
func void(f Finding) bool {
	e, epoch := f.Entry, f.Traits.Epoch
	if epoch == "" || e.fresh(epoch) || e.Delisted == epoch {
		return false
	}
	return !f.Traits.Listed || f.Line.Ours && !f.Line.State.Present()
}

// resolveAlt takes the open Alt for Before once the target is seen to hold, or another
// value of ours is: then Alt was not our own line clamped.
func resolveAlt(e *Entry, f Finding) {
	if e.Alt == nil || !f.Got.Known() {
		return
	}
	if f.Got == e.Target || e.fresh(f.Traits.Epoch) && e.Owns(f.Got) && f.Got != *e.Alt {
		e.settleAlt()
	}
}

// resolve turns the wish into an exact one: a state, none, or satisfied as it is.
func (c *Change) resolve() (want *State, satisfied bool) {
	w := c.Want
	switch {
	case w == nil:
		return nil, false
	case w.Hold:
		return c.resolveHold(), false
	case w.Compare == Exact || !c.Got.Known():
		return &w.State, false
	case c.Entry.Owns(c.Got):
		if w.Holds(c.Entry.Before) {
			return nil, false
		}
		return &w.State, false
	case w.Holds(c.Got):
		return nil, true
	default:
		return &w.State, false
	}
}

// resolveHold brings the last applied state back at a new boot and wants nothing else.
func (c *Change) resolveHold() *State {
	c.Held = true
	if c.Entry == nil || c.Entry.fresh(c.Traits.Epoch) {
		return nil
	}
	return &c.Entry.Target
}

// gone reports whether the item went away with its interface.
func (c *Change) gone() bool { return c.Key.Kind() == Sysctl && c.Got == Absent }

func (c *Change) planRelease() {
	e := c.Entry
	switch {
	case e == nil:
		c.decide(c.dropVoid(), 0)
	case c.Got == Unknown:
		c.decide(Blocked, 1)
	case c.gone():
		c.decide(Release, 2)
	case c.Got == e.Before, e.Alt != nil && c.Got == *e.Alt:
		c.decide(Release, 14)
	case e.Owns(c.Got) && e.Before.Known() && !c.Traits.OneWay:
		c.To = e.Before
		c.decide(Restore, 15)
	default:
		c.decide(Release, 16)
	}
}

func (c *Change) planWish() {
	e := c.Entry
	switch {
	case c.Got == Unknown:
		c.decide(Blocked, 1)
	case c.gone():
		c.decide(c.releaseStored(), 2)
	case e == nil && c.Got == c.To && c.listable():
		c.decide(Adopt, 3)
	case e == nil && c.Got == c.To:
		c.decide(c.dropVoid(), 4)
	case e == nil:
		c.decide(Set, 5)
	case c.Got == c.To || c.clampHolds():
		c.planRight()
	default:
		c.planWrong()
	}
}

func (c *Change) releaseStored() Verb {
	if c.Stored {
		return Release
	}
	return None
}

// clampHolds reports whether the kernel was asked for this value in this boot already
// and holds what it made of it.
func (c *Change) clampHolds() bool {
	e := c.Entry
	return e.Phase == Applied && e.fresh(c.Traits.Epoch) && e.Target == c.To && e.Settled == c.Got
}

// planRight: an owned item is as wanted.
func (c *Change) planRight() {
	e, fresh := c.Entry, c.Entry.fresh(c.Traits.Epoch)
	c.Clamped = c.Got != c.To
	switch {
	case !c.Clamped && !e.Owns(c.Got) && (e.Phase == Applied || !fresh || e.Alt != nil && c.Got == *e.Alt):
		c.planTakenOver()
	case e.Phase != Applied || e.Target != c.To || !fresh || c.Move:
		c.decide(Confirm, 9)
	case c.Clamped:
		c.decide(None, 8)
	default:
		c.decide(None, 7)
	}
}

// planTakenOver: somebody else made it right. Confirming would give back over his value.
func (c *Change) planTakenOver() {
	if c.listable() {
		c.decide(Adopt, 6)
		return
	}
	c.decide(Release, 6)
}

// planWrong: an owned item is not as wanted.
func (c *Change) planWrong() {
	e := c.Entry
	switch fresh := e.fresh(c.Traits.Epoch); {
	case e.Owns(c.Got):
		c.decide(Set, 10)
	case !fresh:
		c.Rebase = c.Got != e.Before
		c.decide(Set, 11)
	case e.Phase == Pending:
		c.decide(Set, 12)
	case c.Want.Report:
		c.Drift = true
		c.decide(None, 13)
	default:
		c.Drift = true
		c.decide(Set, 13)
	}
}
