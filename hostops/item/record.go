package item

// BootLine is what a stage does to the line of one item in its boot file.
type BootLine struct {
	Rewrite bool  // the file is about to be rewritten
	Next    State // the item's line afterwards; Absent if it is not listed
}

// NextLine returns the line that the boot file shall hold after this change, Absent if
// none. Only items with a record are listed: a listed item without one could not be
// given back after a reboot.
func (c *Change) NextLine() State {
	w := c.Want
	switch {
	case w == nil || !c.listable() || w.Compare != Exact:
		return Absent
	case c.Verb == Blocked || c.Held:
		if c.Entry == nil {
			return Absent
		}
		return c.Entry.Target
	case c.Verb == PutBack && c.Entry != nil:
		return c.Entry.Target
	case c.Verb == Release || c.Verb == Restore || c.Verb == PutBack:
		return Absent
	case c.Entry == nil && c.Verb != Set && c.Verb != Adopt && c.Verb != Prepare:
		return Absent
	default:
		return c.To
	}
}

// Ahead returns the record to write before the host is touched; nil removes it.
func (c *Change) Ahead(b BootLine) *Entry {
	switch c.Verb {
	case Set:
		return c.aheadSet()
	case Restore:
		return c.aheadRestore()
	case PutBack:
		return c.aheadPutBack()
	case Adopt:
		return c.adopted(c.Line.value())
	case Prepare:
		return c.prepared()
	default:
		return c.aheadOther(b)
	}
}

func (c *Change) aheadSet() *Entry {
	e := c.newRecord()
	if c.Entry != nil {
		e = c.Entry.Clone()
		c.rebase(&e)
	}
	if e.Alt != nil && c.Entry.Alt != nil && *e.Alt == *c.Entry.Alt && e.Target != c.To {
		e.settleAlt()
	}
	e.Ours = c.widened(&e)
	e.Target, e.Settled = c.To, c.To
	e.Phase, e.Epoch, e.Delisted = Pending, c.Traits.Epoch, ""
	c.own(&e)
	return &e
}

func (c *Change) newRecord() Entry { return Entry{Before: c.found(), Follows: c.Follows} }

// found returns the state of before us for a new record.
func (c *Change) found() State {
	if c.Moved.Known() {
		return c.Moved
	}
	return c.Got
}

// rebase keeps what the boot process gave as the new state to give back. While it may
// still be our own line as the kernel clamped it, it waits in Alt.
func (c *Change) rebase(e *Entry) {
	if !e.fresh(c.Traits.Epoch) && !e.Owns(c.Got) {
		e.Alt = nil
	}
	listed := c.Line.value() == c.To || !c.Traits.Listed
	switch {
	case !c.Rebase:
	case listed && c.Follows != "": // our own line for its master made it so, after the one for it
	case listed:
		alt := c.Got
		e.Alt = &alt
	default:
		e.Before, e.Alt, e.Follows = c.found(), nil, c.Follows
	}
}

// widened returns the values that may be live because of us while the change runs.
func (c *Change) widened(e *Entry) []State {
	list := []State{c.To}
	if e.Owns(c.Got) {
		list = append(list, c.Got)
	}
	if line := c.Line.value(); line.Known() {
		list = append(list, line)
		if e.Target == line && e.Owns(e.Settled) {
			list = append(list, e.Settled) // the kernel may make this of the line
		}
	}
	return states(append(list, c.Touched...)...)
}

func (c *Change) aheadRestore() *Entry {
	e := c.Entry.Clone()
	e.Ours = c.widened(&e)
	e.Before, e.Alt = c.To, nil
	e.Phase, e.Epoch = Pending, c.Traits.Epoch
	return &e
}

// aheadPutBack returns the record of what is put back. One that there is already says more.
func (c *Change) aheadPutBack() *Entry {
	if c.Entry != nil {
		e := c.Entry.Clone()
		e.Ours = states(append(e.Ours, c.Touched...)...)
		return &e
	}
	e := c.newRecord()
	e.Ours = states(append([]State{c.To}, c.Touched...)...)
	e.Target, e.Settled, e.Phase, e.Epoch = c.To, c.To, Pending, c.Traits.Epoch
	return &e
}

// adopted returns the record of an item that was right without us.
func (c *Change) adopted(line State) *Entry {
	e := c.newRecord()
	e.Ours = states(c.To, line)
	e.Target, e.Settled, e.Phase, e.Epoch = c.To, c.To, Applied, c.Traits.Epoch
	c.own(&e)
	return &e
}

// prepared returns the record of an item that the next boot sets: what it was before us
// nobody has seen, and nobody will.
func (c *Change) prepared() *Entry {
	e := &Entry{Before: Unknown, Ours: states(c.To), Target: c.To, Settled: c.To, Phase: Pending}
	c.own(e)
	return e
}

// own notes who asked. A held item stays its last owner's.
func (c *Change) own(e *Entry) {
	if c.Want != nil && !c.Held {
		e.Owner = c.Want.Source
	}
}

// aheadOther keeps a record alive while the file stops or starts listing its item, so
// that a crash in between leaves nothing that nobody owns.
func (c *Change) aheadOther(b BootLine) *Entry {
	if c.Entry == nil {
		return nil // void: a new line must never bring it back to life
	}
	e := c.Entry.Clone()
	if c.Traits.NextBoot || !b.Rewrite || c.Line.State == b.Next {
		return &e
	}
	if c.Verb == Blocked {
		e.Delisted = c.Traits.Epoch
		return &e
	}
	wasFresh := e.fresh(c.Traits.Epoch)
	e.Epoch = c.Traits.Epoch
	if c.Verb != None {
		e.Phase = Pending
	}
	if c.Verb == Release && !wasFresh && !e.Owns(c.Got) && c.Got != e.Before {
		alt := c.Got
		e.Alt = &alt
	}
	if b.Next.Present() {
		e.Ours = states(append(e.Ours, b.Next)...)
	}
	if c.Verb == Confirm && c.Got == c.To {
		if e.Target != c.To {
			e.settleAlt()
		}
		e.Target, e.Settled = c.To, c.To
	}
	return &e
}

// ReadBack is what was found after the writes.
type ReadBack struct {
	State State // Unknown if the item could not be read, or its write failed
	// Stable: the item was written twice and read the same twice.
	Stable bool
	// Line is what the boot file on disk sets now, if its text is ours; else Unknown.
	Line State
}

// Settle returns the record after the host was read back, given the one written
// ahead; nil removes it.
func (c *Change) Settle(ahead *Entry, r ReadBack) *Entry {
	switch c.Verb {
	case Set:
		return c.settleSet(ahead, r)
	case Restore, PutBack:
		switch back := r.State == c.To || r.State.Known() && r.Stable; {
		case !back:
			return ahead
		case c.Verb == PutBack:
			return c.Entry // as it was
		default:
			return nil
		}
	case Release:
		return nil
	case Adopt:
		return c.adopted(r.Line)
	case Confirm:
		return c.settleConfirm(r)
	default:
		return c.settleNone(ahead, r)
	}
}

// settleNone takes out of the record of an item that is right what can not be live because
// of us any more: lines of an older boot file, once it is rewritten.
func (c *Change) settleNone(ahead *Entry, r ReadBack) *Entry {
	if ahead == nil || c.Row != 7 && c.Row != 8 || c.Traits.Listed && !r.Line.Known() {
		return ahead
	}
	e := ahead.Clone()
	e.Ours = states(c.To, e.Settled, r.Line)
	return &e
}

func (c *Change) settleSet(ahead *Entry, r ReadBack) *Entry {
	e := *ahead // but for what is rebuilt
	switch {
	case r.State == c.To:
		e.settleAlt()
		e.Ours = states(c.To, r.Line)
		e.Settled, e.Phase = c.To, Applied
	case r.State.Known() && r.Stable:
		if e.Alt != nil && *e.Alt != r.State {
			e.settleAlt()
		}
		e.Alt = nil
		e.Ours = states(c.To, r.State, r.Line)
		e.Settled, e.Phase = r.State, Applied
	default:
		return ahead // the write failed, or somebody writes at the same time: still pending
	}
	return &e
}

func (c *Change) settleConfirm(r ReadBack) *Entry {
	e := c.Entry.Clone()
	if e.Target != c.To {
		e.settleAlt()
	}
	if c.Got == c.To {
		e.Ours, e.Settled = states(c.To, r.Line), c.To
	}
	e.Target, e.Phase, e.Epoch = c.To, Applied, c.Traits.Epoch
	e.Delisted = ""
	c.own(&e)
	return &e
}
