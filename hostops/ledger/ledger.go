package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Ledger is the two books of one host.
type Ledger struct {
	Durable, Volatile *Book
	// Cloned is the machine-id that the durable book was written on, if it is not
	// this host's: what was there before us is not known on this one.
	Cloned string
	// Imaged: the durable book was written in an image, and no run of a machine has made it
	// its own.
	Imaged bool

	merged merged
}

// Options say who opens the ledger.
type Options struct {
	Machine string // machine-id of this host; empty if unknown
	Writer  string // version that writes
	Seen    *Seen  // by this process before; nil if it reads once
}

// Open reads both books. It writes nothing. The error matches ErrUnreadable, ErrNewer
// or ErrLost and then nothing may be written to the host.
func Open(files machine.Files, o Options) (*Ledger, error) {
	l := newLedger(files, o)
	return l, l.Reload(o)
}

// Blank returns a ledger without a record, whatever is on the host: to look at a host whose
// record cannot be read. It must not be written.
func Blank(files machine.Files, o Options) *Ledger {
	l := newLedger(files, o)
	l.Durable.page, l.Volatile.page = newPage(), newPage()
	l.settleMachine(o.Machine)
	return l
}

func newLedger(files machine.Files, o Options) *Ledger {
	return &Ledger{
		Durable:  &Book{files: files, path: paths.Ledger, store: item.Durable, writer: o.Writer, last: o.Seen.of(item.Durable)},
		Volatile: &Book{files: files, path: paths.RunLedger, store: item.Volatile, writer: o.Writer, last: o.Seen.of(item.Volatile)},
	}
}

// Reload reads both books again, after somebody else may have written them.
func (l *Ledger) Reload(o Options) error {
	if err := l.Durable.read(); err != nil {
		return err
	}
	if !l.Durable.exists {
		if err := l.lost(); err != nil {
			return err
		}
	}
	if err := l.Volatile.read(); err != nil {
		l.Volatile.page, l.Volatile.exists = newPage(), false
	}
	l.settleMachine(o.Machine)
	return nil
}

// lost looks for evidence that there was a ledger. The marker that `down` leaves is none.
func (l *Ledger) lost() error {
	for _, path := range []string{paths.Input, paths.Accepted, paths.SysctlDropIn, paths.ModulesLoad} {
		info, err := l.Durable.files.Lstat(path)
		if err == nil && !info.Mode().IsRegular() {
			continue // not what we write: whoever writes there refuses it by name
		}
		if err == nil {
			return fmt.Errorf("%w: %s is there and %s is not", ErrLost, path, paths.Ledger)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
	}
	return nil
}

// settleMachine notices a clone: sysctl values of before us belong to the other host.
func (l *Ledger) settleMachine(id string) {
	h := &l.Durable.page.head
	if h.Machine != "" && id != "" && h.Machine != id {
		l.Cloned = h.Machine
		for k, e := range l.Durable.page.entries {
			if k.Kind() == item.Sysctl {
				c := e.Clone()
				c.Before, c.Alt, c.Follows = item.Unknown, nil, ""
				l.Durable.page.entries[k] = &c
			}
		}
	}
	l.Durable.foreign = id != "" && h.Machine != id
	l.Imaged = l.Durable.foreign && l.Durable.exists && h.Machine == ""
	if id != "" {
		h.Machine, l.Volatile.page.head.Machine = id, id
	}
}

// Machine returns the machine-id of the host that the durable book belongs to; empty if it
// was written in an image, and no boot of one has taken it over.
func (l *Ledger) Machine() string { return l.Durable.page.head.Machine }

// Entry returns the record of an item and the store that holds it; nil if none does.
// The durable record counts if a crash left two.
func (l *Ledger) Entry(k item.Key) (*item.Entry, item.Store) {
	if e := l.Durable.Entry(k); e != nil {
		return e, item.Durable
	}
	return l.Volatile.Entry(k), item.Volatile
}

// Keys returns every recorded key once, sorted. They must not be changed.
func (l *Ledger) Keys() []item.Key {
	durable, volatile := l.Durable.Keys(), l.Volatile.Keys()
	if !isOne(durable, l.merged.durable) || !isOne(volatile, l.merged.volatile) {
		l.merged = merged{durable, volatile, merge(durable, volatile)}
	}
	return l.merged.both
}

// KeysOf returns the recorded keys of a kind, sorted. They must not be changed.
func (l *Ledger) KeysOf(kind item.Kind) []item.Key {
	keys := l.Keys()
	first, _ := slices.BinarySearch(keys, item.NewKey(kind, ""))
	n := slices.IndexFunc(keys[first:], func(k item.Key) bool { return k.Kind() != kind })
	if n < 0 {
		return keys[first:]
	}
	return slices.Clip(keys[first : first+n])
}

// merged is the keys of both books, and what they were made of: a run asks for them at
// every step, and a book that gets other keys has another list.
type merged struct{ durable, volatile, both []item.Key }

// isOne reports whether two lists are the same memory.
func isOne(a, b []item.Key) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func merge(a, b []item.Key) []item.Key {
	keys := append(slices.Grow([]item.Key(nil), len(a)+len(b)), a...)
	keys = append(keys, b...)
	slices.Sort(keys)
	return slices.Clip(slices.Compact(keys))
}

// Book returns the book of a store.
func (l *Ledger) Book(s item.Store) *Book {
	if s == item.Durable {
		return l.Durable
	}
	return l.Volatile
}

// Rebuild starts a ledger anew where the durable book is lost or unreadable. What can
// be read of the old one is kept beside it, for a person.
func Rebuild(files machine.Files, o Options) (*Ledger, error) {
	l := newLedger(files, o)
	if old, err := files.Read(paths.Ledger); err == nil {
		if err := files.Write(paths.LedgerAside, old, 0o600); err != nil {
			return nil, fmt.Errorf("keep the unreadable ledger: %w", err)
		}
	}
	l.Durable.page = newPage()
	if err := l.Volatile.read(); err != nil {
		l.Volatile.page = newPage()
	}
	l.settleMachine(o.Machine)
	return l, l.Durable.Claim()
}
