package ledger

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const seenKey = item.Key("module/overlay")

// seenBook is a host whose durable book has one entry, and what a process has seen of it.
func seenBook(t *testing.T) (h *fake.Host, open func() *Ledger) {
	t.Helper()
	h = fake.New()
	h.PutDir(paths.StateDir, 0o700)
	var seen Seen
	open = func() *Ledger {
		t.Helper()
		return opened(t, h.Machine().Files, Options{Machine: "m", Seen: &seen})
	}
	record(t, open(), seenKey, item.Pending)
	return h, open
}

func record(t *testing.T, led *Ledger, k item.Key, p item.Phase) {
	t.Helper()
	if err := led.Durable.Update(map[item.Key]*item.Entry{k: {Phase: p}}); err != nil {
		t.Fatal(err)
	}
}

func TestABookThatReadsTheSameIsDecodedOnce(t *testing.T) {
	_, open := seenBook(t)
	if first, again := open().Durable.Entry(seenKey), open().Durable.Entry(seenKey); first != again {
		t.Error("decoded anew")
	}
}

func TestABookThatWasWrittenSinceIsDecodedAnew(t *testing.T) {
	h, open := seenBook(t)
	open()
	record(t, opened(t, h.Machine().Files, Options{Machine: "m"}), seenKey, item.Applied)
	if p := open().Durable.Entry(seenKey).Phase; p != item.Applied {
		t.Errorf("reads as %s", p)
	}
}

func TestWhatIsDoneToABookIsNotSeenInTheNextReading(t *testing.T) {
	h, open := seenBook(t)
	led := open()
	before, _ := h.File(paths.Ledger)
	record(t, led, "module/fuse", item.Applied)
	record(t, led, seenKey, item.Applied)
	h.PutFile(paths.Ledger, before)
	led = open()
	if led.Durable.Len() != 1 || led.Durable.Entry(seenKey).Phase != item.Pending {
		t.Errorf("has %d entries, and %+v", led.Durable.Len(), led.Durable.Entry(seenKey))
	}
	if keys := led.Durable.Keys(); len(keys) != 1 || keys[0] != seenKey {
		t.Errorf("keys %v", keys)
	}
}

func TestACloneIsToldInEveryReading(t *testing.T) {
	h, open := seenBook(t)
	var seen Seen
	for range 2 {
		if clone := opened(t, h.Machine().Files, Options{Machine: "n", Seen: &seen}); clone.Cloned != "m" {
			t.Errorf("cloned from %q", clone.Cloned)
		}
	}
	if own := open(); own.Cloned != "" {
		t.Errorf("cloned from %q", own.Cloned)
	}
}
