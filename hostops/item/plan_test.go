package item_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
)

const (
	boot    = "boot-2"
	oldBoot = "boot-1"
	key     = item.Key("sysctl/net.ipv4.ip_forward")
)

func text(s string) item.State { return item.Text(s) }

// owned is a record of Before 0 and Target 1, changed by the given functions.
func owned(edit ...func(*item.Entry)) *item.Entry {
	e := &item.Entry{
		Before: text("0"), Ours: []item.State{text("1")}, Target: text("1"), Settled: text("1"),
		Phase: item.Applied, Epoch: boot,
	}
	for _, f := range edit {
		f(e)
	}
	return e
}

func pending(e *item.Entry)  { e.Phase = item.Pending }
func stale(e *item.Entry)    { e.Epoch = oldBoot }
func delisted(e *item.Entry) { e.Delisted = boot }
func target2(e *item.Entry)  { e.Target = text("2") }
func settled5(e *item.Entry) { e.Settled, e.Ours = text("5"), []item.State{text("1"), text("5")} }
func noBefore(e *item.Entry) { e.Before = item.Unknown }
func alt(v string) func(*item.Entry) {
	return func(e *item.Entry) { s := text(v); e.Alt = &s }
}

var (
	listed  = item.Traits{Store: item.Durable, Listed: true, Epoch: boot}
	fleet   = item.Traits{Store: item.Volatile, Epoch: boot}
	noEpoch = item.Traits{Store: item.Durable}
	oneWay  = item.Traits{Store: item.Volatile, Epoch: boot, OneWay: true}

	line1   = item.Line{State: text("1"), Ours: true}
	unnamed = item.Line{State: item.Absent, Ours: true}
	foreign = item.Line{State: item.Absent}
)

func wish(v string, edit ...func(*item.Want)) *item.Want {
	w := &item.Want{Key: key, State: text(v)}
	for _, f := range edit {
		f(w)
	}
	return w
}

func atLeast(w *item.Want) { w.Compare, w.Volatile = item.AtLeast, true }
func atMost(w *item.Want)  { w.Compare, w.Volatile = item.AtMost, true }
func hold(w *item.Want)    { w.Hold = true }
func report(w *item.Want)  { w.Report = true }

// nextBoot are the traits of an item of an image.
var nextBoot = item.Traits{Store: item.Durable, Listed: true, NextBoot: true}

func preparedAs(s string) *item.Entry {
	return &item.Entry{Before: item.Unknown, Ours: []item.State{text(s)}, Target: text(s), Settled: text(s), Phase: item.Pending}
}

// isPrepared: the line is written, and the record says that nobody knows what was before.
func isPrepared(c item.Change) string {
	to := c.To.Text()
	if e := c.Ahead(item.BootLine{Rewrite: true, Next: c.To}); !e.Equal(preparedAs(to)) || !c.Settle(e, item.ReadBack{}).Equal(e) || c.NextLine() != c.To {
		return "recorded or listed otherwise"
	}
	return ""
}

func TestDecisionTable(t *testing.T) {
	tests := []struct {
		name   string
		want   *item.Want
		got    item.State
		entry  *item.Entry
		traits item.Traits
		line   item.Line
		verb   item.Verb
		row    int
		to     item.State
		check  func(item.Change) string
	}{
		{name: "a void record is dropped", got: text("1"), entry: owned(stale), traits: listed, line: unnamed, verb: item.Release},
		{name: "a void record does not decide about a wish", want: wish("1"), got: text("0"), entry: owned(stale), traits: listed, line: unnamed, verb: item.Set, row: 5, to: text("1")},
		{name: "a stale record whose item the file still lists is not void", got: text("1"), entry: owned(stale), traits: listed, line: line1, verb: item.Restore, row: 15, to: text("0")},
		{name: "a foreign boot file proves nothing about what it does not name", got: text("1"), entry: owned(stale), traits: listed, line: foreign, verb: item.Restore, row: 15, to: text("0")},
		{name: "a record delisted in this boot is not void", got: text("1"), entry: owned(stale, delisted), traits: listed, line: unnamed, verb: item.Restore, row: 15, to: text("0")},
		{name: "a stale record of an item that is never listed is void", got: text("1"), entry: owned(stale), traits: fleet, line: unnamed, verb: item.Release},
		{name: "files have no boot", got: text("1"), entry: owned(func(e *item.Entry) { e.Epoch = "" }), traits: noEpoch, line: unnamed, verb: item.Restore, row: 15, to: text("0")},

		{name: "an item of the next boot is recorded and listed", want: wish("1"), got: item.Unknown, traits: nextBoot, verb: item.Prepare, row: 17, to: text("1"), check: isPrepared},
		{name: "an item of the next boot that is recorded so", want: wish("1"), got: item.Unknown, entry: preparedAs("1"), traits: nextBoot, verb: item.None, row: 17, to: text("1")},
		{name: "an item of the next boot with another value", want: wish("2"), got: item.Unknown, entry: preparedAs("1"), traits: nextBoot, verb: item.Prepare, row: 17, to: text("2"), check: isPrepared},
		{name: "an item of the next boot that nobody wishes any more", got: item.Unknown, entry: preparedAs("1"), traits: nextBoot, verb: item.Release, row: 18},
		{name: "the first boot confirms what an image recorded", want: wish("1"), got: text("1"), entry: preparedAs("1"), traits: listed, line: line1, verb: item.Confirm, row: 9, to: text("1")},
		{name: "the first boot sets what the file of an image did not", want: wish("1"), got: text("0"), entry: preparedAs("1"), traits: listed, line: line1, verb: item.Set, row: 11, to: text("1")},
		{name: "what an image recorded is left as found", got: text("1"), entry: preparedAs("1"), traits: listed, line: line1, verb: item.Release, row: 16},
		{name: "a record of an image that was never listed is void", want: wish("1"), got: text("0"), entry: preparedAs("1"), traits: listed, line: unnamed, verb: item.Set, row: 5, to: text("1")},

		{name: "an unseen item is not written", want: wish("1"), got: item.Unknown, traits: listed, verb: item.Blocked, row: 1},
		{name: "an unseen item keeps its record", got: item.Unknown, entry: owned(), traits: listed, verb: item.Blocked, row: 1},
		{name: "a record goes with its interface", got: item.Absent, entry: owned(), traits: fleet, verb: item.Release, row: 2},
		{name: "a record goes with its interface although it is wished", want: wish("1"), got: item.Absent, entry: owned(), traits: fleet, verb: item.Release, row: 2},
		{name: "a listed key outlives its interface", got: item.Absent, entry: owned(), traits: listed, verb: item.Blocked, row: 1},
		{name: "a listed key waits for its interface", want: wish("1"), got: item.Absent, traits: listed, verb: item.Blocked, row: 1},
		{name: "an interface that is gone and was never ours", want: wish("1"), got: item.Absent, traits: fleet, verb: item.None, row: 2},

		{name: "an item that is right is adopted before it is listed", want: wish("1"), got: text("1"), traits: listed, line: unnamed, verb: item.Adopt, row: 3, to: text("1")},
		{name: "an item that is right and never listed stays somebody else's", want: wish("1"), got: text("1"), traits: fleet, verb: item.None, row: 4},
		{name: "an item that is wrong is set", want: wish("1"), got: text("0"), traits: listed, line: unnamed, verb: item.Set, row: 5, to: text("1")},
		{name: "right, but by somebody else: his value is the one to give back", want: wish("2"), got: text("2"), entry: owned(), traits: listed, line: line1, verb: item.Adopt, row: 6, to: text("2")},
		{name: "right by somebody else and never listed: released", want: wish("2"), got: text("2"), entry: owned(), traits: fleet, verb: item.Release, row: 6},
		{name: "nothing to do", want: wish("1"), got: text("1"), entry: owned(), traits: listed, line: line1, verb: item.None, row: 7},
		{name: "a clamped item is not written again in this boot", want: wish("1"), got: text("5"), entry: owned(settled5), traits: listed, line: line1, verb: item.None, row: 8,
			check: func(c item.Change) string {
				if !c.Clamped {
					return "not told as clamped"
				}
				return ""
			}},
		{name: "a clamped item is tried once in the next boot", want: wish("1"), got: text("5"), entry: owned(settled5, stale), traits: listed, line: line1, verb: item.Set, row: 10, to: text("1")},
		{name: "a pending record is confirmed", want: wish("1"), got: text("1"), entry: owned(pending), traits: listed, line: line1, verb: item.Confirm, row: 9},
		{name: "a record of an earlier boot is stamped", want: wish("1"), got: text("1"), entry: owned(stale), traits: listed, line: line1, verb: item.Confirm, row: 9},
		{name: "a new target that holds already is confirmed", want: wish("1"), got: text("1"), entry: owned(target2), traits: listed, line: line1, verb: item.Confirm, row: 9},
		{name: "a value of ours is replaced without drift", want: wish("2"), got: text("1"), entry: owned(), traits: listed, line: line1, verb: item.Set, row: 10, to: text("2")},
		{name: "what the boot gave is no drift and becomes what to give back", want: wish("1"), got: text("7"), entry: owned(stale), traits: listed, line: line1, verb: item.Set, row: 11, to: text("1"),
			check: func(c item.Change) string {
				if c.Drift || !c.Rebase {
					return "want a rebase and no drift"
				}
				return ""
			}},
		{name: "the boot gave what was there before: nothing to rebase", want: wish("1"), got: text("0"), entry: owned(stale), traits: listed, line: line1, verb: item.Set, row: 11, to: text("1"),
			check: func(c item.Change) string {
				if c.Rebase {
					return "want no rebase"
				}
				return ""
			}},
		{name: "a write that may not have happened is no drift", want: wish("1"), got: text("7"), entry: owned(pending), traits: listed, line: line1, verb: item.Set, row: 12, to: text("1"), check: noDrift},
		{name: "somebody changed it: drift", want: wish("1"), got: text("7"), entry: owned(), traits: listed, line: line1, verb: item.Set, row: 13, to: text("1"),
			check: func(c item.Change) string {
				if !c.Drift {
					return "want drift"
				}
				return ""
			}},
		{name: "somebody changed it and it is only to be told", want: wish("1", report), got: text("7"), entry: owned(), traits: listed, line: line1, verb: item.None, row: 13,
			check: func(c item.Change) string {
				if !c.Drift || c.NextLine() != text("1") {
					return "want drift, and the line kept"
				}
				return ""
			}},
		{name: "already as before us: released without a write", got: text("0"), entry: owned(), traits: listed, line: line1, verb: item.Release, row: 14},
		{name: "as found in this boot: released without a write", got: text("7"), entry: owned(alt("7")), traits: listed, line: line1, verb: item.Release, row: 14},
		{name: "given back", got: text("1"), entry: owned(), traits: listed, line: line1, verb: item.Restore, row: 15, to: text("0")},
		{name: "changed by others: left as found", got: text("7"), entry: owned(), traits: listed, line: line1, verb: item.Release, row: 16},
		{name: "nobody knows what was before: left as found", got: text("1"), entry: owned(noBefore), traits: listed, line: line1, verb: item.Release, row: 16},
		{name: "a module is never unloaded", got: text("1"), entry: owned(), traits: oneWay, verb: item.Release, row: 16},
		{name: "nothing wished, nothing owned", got: text("1"), traits: listed, verb: item.None},

		{name: "at least: a larger value of others is left", want: wish("5", atLeast), got: text("10"), traits: fleet, verb: item.None, row: 4},
		{name: "at least: a smaller value is raised", want: wish("5", atLeast), got: text("4"), traits: fleet, verb: item.Set, row: 5, to: text("5")},
		{name: "at least: our own value goes when what was before is enough", want: wish("0", atLeast), got: text("1"), entry: owned(), traits: fleet, verb: item.Restore, row: 15, to: text("0")},
		{name: "at least: not a number satisfies nothing", want: wish("5", atLeast), got: text("many"), traits: fleet, verb: item.Set, row: 5, to: text("5")},
		{name: "at least: numbers beyond 64 bits", want: wish("18446744073709551615", atLeast), got: text("18446744073709551616"), traits: fleet, verb: item.None, row: 4},
		{name: "at most: a smaller value is left", want: wish("5", atMost), got: text("-3"), traits: fleet, verb: item.None, row: 4},
		{name: "at most: a larger value is lowered", want: wish("5", atMost), got: text("6"), traits: fleet, verb: item.Set, row: 5, to: text("5")},
		{name: "at least: a void record of a satisfied wish is dropped", want: wish("5", atLeast), got: text("10"), entry: owned(stale), traits: fleet, verb: item.Release, row: 4},

		{name: "held: not written", want: wish("2", hold), got: text("7"), entry: owned(), traits: listed, line: line1, verb: item.None},
		{name: "held: not restored", want: wish("2", hold), got: text("1"), entry: owned(), traits: listed, line: line1, verb: item.None},
		{name: "held: the last applied value comes back at a new boot", want: wish("2", hold), got: text("0"), entry: owned(stale), traits: listed, line: line1, verb: item.Set, row: 11, to: text("1")},
		{name: "held: takes no part in what it does not own", want: wish("2", hold), got: text("0"), traits: listed, verb: item.None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := item.Plan(item.Finding{Key: key, Want: tt.want, Got: tt.got, Entry: tt.entry, Traits: tt.traits, Line: tt.line})
			if c.Verb != tt.verb || c.Row != tt.row {
				t.Fatalf("got %s by row %d, want %s by row %d", c.Verb, c.Row, tt.verb, tt.row)
			}
			if c.Verb.Writes() && c.To != tt.to {
				t.Errorf("writes %s, want %s", c.To, tt.to)
			}
			if tt.check != nil {
				if msg := tt.check(c); msg != "" {
					t.Error(msg)
				}
			}
		})
	}
}

func noDrift(c item.Change) string {
	if c.Drift {
		return "want no drift"
	}
	return ""
}

func TestPlanDoesNotShareMemoryWithTheLedger(t *testing.T) {
	entry := owned(alt("1"))
	item.Plan(item.Finding{Key: key, Want: wish("1"), Got: text("1"), Entry: entry, Traits: listed, Line: line1})
	if entry.Alt == nil || entry.Before != text("0") {
		t.Error("planning changed the record")
	}
}

func TestOnlyRecordedItemsAreListed(t *testing.T) {
	tests := []struct {
		name string
		f    item.Finding
		line item.State
	}{
		{"set", item.Finding{Want: wish("1"), Got: text("0"), Traits: listed}, text("1")},
		{"adopted", item.Finding{Want: wish("1"), Got: text("1"), Traits: listed}, text("1")},
		{"never seen", item.Finding{Want: wish("1"), Got: item.Unknown, Traits: listed}, item.Absent},
		{"seen once, unseen now: the line stays as it is", item.Finding{Want: wish("2"), Got: item.Unknown, Entry: owned(), Traits: listed, Line: line1}, text("1")},
		{"not wished", item.Finding{Got: text("1"), Entry: owned(), Traits: listed, Line: line1}, item.Absent},
		{"at least", item.Finding{Want: wish("1", atLeast), Got: text("0"), Traits: listed}, item.Absent},
		{"from a pattern", item.Finding{Want: wish("1", func(w *item.Want) { w.Volatile = true }), Got: text("0"), Entry: owned(), Traits: listed}, item.Absent},
		{"held", item.Finding{Want: wish("2", hold), Got: text("0"), Entry: owned(), Traits: listed}, text("1")},
		{"clamped: the wished value, the kernel clamps it again", item.Finding{Want: wish("1"), Got: text("5"), Entry: owned(settled5), Traits: listed}, text("1")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := item.Plan(tt.f)
			if got := c.NextLine(); got != tt.line {
				t.Errorf("line %s, want %s", got, tt.line)
			}
		})
	}
}
