package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// bootRun is what happens to a stage's boot file. Its record holds digests of contents.
type bootRun struct {
	op     item.Operation
	entry  *item.Entry
	disk   item.State // content before the run; after writeBoot, what is there now
	found  item.State // content as found
	want   item.State
	lines  map[item.Key]item.State // what disk sets
	next   map[item.Key]item.State // what want sets
	ours   bool                    // found is a content of ours
	known  bool                    // found tells what the file does not list
	verb   item.Verb
	drift  bool
	failed error
	loose  bool // as wished, and could not be made durable
}

// digest stands for a content in the record.
func digest(s item.State) item.State {
	if !s.Present() {
		return s
	}
	sum := sha256.Sum256([]byte(s.Text()))
	return item.Text("sha256:" + hex.EncodeToString(sum[:]))
}

func (r *run) isBoot(k item.Key) bool { return r.stage.Boot != nil && r.stage.Boot.Key() == k }

// observeBoot reads the boot file. One that cannot be read is treated as a foreign one.
func (r *run) observeBoot(ctx context.Context) error {
	if r.stage.Boot == nil {
		return nil
	}
	b, k := &r.boot, r.stage.Boot.Key()
	b.op = r.stage.operation(k)
	b.entry = r.engine.Ledger.Durable.Entry(k)
	b.found, b.failed = b.op.Observe(ctx, k)
	b.disk = b.found
	b.ours = b.entry.Owns(digest(b.found))
	b.known = b.ours || b.found == item.Absent && (b.entry == nil || b.entry.Phase == item.Pending)
	if b.found.Present() {
		b.lines = r.stage.Boot.Lines(b.found)
	}
	return nil
}

// line returns what the file on disk says of an item.
func (b *bootRun) line(k item.Key) item.Line {
	return item.Line{State: lineOf(b.lines, k), Ours: b.known}
}

func lineOf(lines map[item.Key]item.State, k item.Key) item.State {
	if s, ok := lines[k]; ok {
		return s
	}
	return item.Absent
}

// planBoot decides about the boot file, after all items are decided.
func (r *run) planBoot() {
	b := &r.boot
	if b.op == nil || !b.found.Known() {
		return
	}
	lines := map[item.Key]item.State{}
	for _, c := range r.order {
		if s := c.NextLine(); s.Present() {
			lines[c.Key] = s
		}
	}
	b.want = r.stage.Boot.Render(lines, r.patterns)
	b.decide()
	if b.want.Present() {
		b.next = r.stage.Boot.Lines(b.want)
	}
}

func (b *bootRun) decide() {
	switch {
	case b.want == b.found && b.entry != nil && !b.want.Present():
		b.verb = item.Release
	case b.want == b.found && b.want.Present() && (b.entry == nil || b.entry.Phase == item.Pending):
		b.verb = item.Confirm
	case b.want == b.found:
	case !b.want.Present() && !b.ours: // somebody else's text: left as found
		b.want = b.found
		if b.entry != nil {
			b.verb = item.Release
		}
	default:
		b.verb = item.Set
		b.drift = b.entry != nil && b.entry.Phase == item.Applied && !b.ours
	}
}

// bootLine returns what the run does to one item's line.
func (b *bootRun) bootLine(k item.Key) item.BootLine {
	return item.BootLine{Rewrite: b.verb == item.Set, Next: lineOf(b.next, k)}
}

// ahead returns the record of the file while it is rewritten.
func (b *bootRun) ahead() *item.Entry {
	ours := []item.State{digest(b.want)}
	if b.ours {
		ours = append(ours, digest(b.found))
	}
	return &item.Entry{Before: item.Absent, Ours: ours, Target: digest(b.want), Settled: digest(b.want), Phase: item.Pending}
}

// settled returns the record after the run.
func (b *bootRun) settled() *item.Entry {
	switch {
	case b.loose:
		return b.entry
	case b.verb == item.Release, !b.disk.Present():
		return nil
	case b.verb == item.Set && b.failed != nil:
		return b.ahead()
	case b.verb == item.None:
		return b.entry
	}
	d := digest(b.disk)
	return &item.Entry{Before: item.Absent, Ours: []item.State{d}, Target: d, Settled: d, Phase: item.Applied}
}

// stillLists reports whether the file on disk lists an item although it should not any
// more, because it could not be rewritten, or may list it because it cannot be read. What
// stands in its place and is no file lists nothing of ours.
func (b *bootRun) stillLists(c *change) bool {
	switch {
	case b.failed == nil:
		return false
	case b.verb == item.Set:
		return c.Line.State.Present()
	default:
		return !b.found.Known() && b.entry != nil && c.Traits.Listed && !errors.Is(b.failed, machine.ErrNotRegular)
	}
}

// lineNow returns the value that the file on disk sets, if its text is ours.
func (b *bootRun) lineNow(k item.Key) item.State {
	lines := b.lines
	switch {
	case b.verb == item.Set && b.failed == nil:
		lines = b.next
	case b.verb == item.Confirm:
	case !b.ours:
		return item.Unknown
	}
	if s, ok := lines[k]; ok {
		return s
	}
	return item.Unknown
}
