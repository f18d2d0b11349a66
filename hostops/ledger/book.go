package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Book is one ledger: a set of entries and the file that holds them.
type Book struct {
	files  machine.Files
	path   string
	store  item.Store
	writer string
	page   *page
	last   *reading
	exists bool
	// foreign: another machine wrote the file, or nobody knows which.
	foreign bool
	// durable: it was written, or known to be durable, since it was read.
	durable bool
	writes  int
	text    []byte // what was written last: the next one takes its place
}

// Exists reports whether the book's file was there when it was read, or was written
// since.
func (b *Book) Exists() bool { return b.exists }

// Writes returns how often the file was written since the book was opened.
func (b *Book) Writes() int { return b.writes }

// Len returns the number of entries.
func (b *Book) Len() int { return len(b.page.entries) }

// Entry returns the record of an item, nil if there is none. It must not be changed.
func (b *Book) Entry(k item.Key) *item.Entry { return b.page.entries[k] }

// Keys returns the recorded keys, sorted. They must not be changed.
func (b *Book) Keys() []item.Key { return b.page.keys() }

// Update replaces the given records, removes those given as nil, and writes the file
// once; nothing is written if nothing differs. If the write fails, the book is as before.
func (b *Book) Update(entries map[item.Key]*item.Entry) error {
	keys, differs := b.page.after(entries)
	if !differs {
		return nil
	}
	if err := b.write(entries, keys); err != nil {
		return err
	}
	b.page.set(entries, keys)
	return nil
}

// write replaces the file by the book as it is after an update. A replacement that is not
// durable counts as failed: the caller must not touch the host on its strength.
func (b *Book) write(update map[item.Key]*item.Entry, keys []item.Key) error {
	b.page.head.Format, b.page.head.Major, b.page.head.Minor = format, Major, Minor
	b.page.head.Writer = b.writer
	text, err := b.page.encodeInto(b.text, update, keys)
	if err != nil {
		return fmt.Errorf("encode the ledger: %w", err)
	}
	b.text = text
	b.writes++
	write := b.files.Write
	if b.store == item.Volatile {
		write = b.files.WriteVolatile
	}
	if err := write(b.path, text, 0o600); err != nil {
		return fmt.Errorf("write the ledger %s: %w", b.path, err)
	}
	b.exists, b.foreign, b.durable = true, false, true
	return nil
}

// Settle makes the book durable as it was read, if whoever wrote it died before it was.
// Nothing may be done to the host on the strength of a book that is not.
func (b *Book) Settle() error {
	if !b.exists || b.durable || b.store == item.Volatile {
		return nil
	}
	if !b.wasSettled() {
		if err := b.files.Settle(b.path); err != nil {
			return fmt.Errorf("make the ledger %s durable: %w", b.path, err)
		}
	}
	b.durable = true
	return nil
}

// wasSettled reports whether the book's writer lived until it was durable. To sync it in
// every run instead is a write to the disk for each pod that comes and goes.
func (b *Book) wasSettled() bool {
	info, err := b.files.Lstat(b.path)
	return err == nil && info.Mode().IsRegular() && !info.ModTime().Equal(machine.NotDurable)
}

// Claim makes the book this machine's: it writes an empty one if there is no file yet, and
// writes one anew that was taken over from an image or from another machine.
func (b *Book) Claim() error {
	if b.exists && !b.foreign {
		return nil
	}
	return b.write(nil, b.page.keys())
}

// Remove deletes the book's file. A book that still has entries is not removed.
func (b *Book) Remove() error {
	if b.Len() > 0 {
		return fmt.Errorf("the ledger %s still holds %d entries", b.path, b.Len())
	}
	err := b.files.Remove(b.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the ledger: %w", err)
	}
	b.exists = false
	return nil
}

func (b *Book) read() error {
	text, err := b.files.Read(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		b.page, b.exists = newPage(), false
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return fmt.Errorf("%w: %s is empty", ErrUnreadable, b.path)
	}
	p, err := b.last.decode(text)
	if err != nil {
		return fmt.Errorf("%s: %w", b.path, err)
	}
	b.page, b.exists, b.durable = p, true, false
	return nil
}
