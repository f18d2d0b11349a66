package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// The format that this version writes. A reader takes every minor version of its
// major one: what is added within a major is additive.
const (
	format = "hostprofile-ledger"
	Major  = 1
	Minor  = 0
)

var (
	// ErrUnreadable: there is a ledger and it cannot be understood.
	ErrUnreadable = errors.New("the ledger is unreadable")
	// ErrNewer: the ledger was written by a newer major version.
	ErrNewer = errors.New("the ledger is newer than this program")
	// ErrLost: the ledger is gone, but there is evidence that there was one.
	ErrLost = errors.New("the ledger is lost")
)

// head is the part of a ledger that every version understands.
type head struct {
	Format  string `json:"format"`
	Major   int    `json:"major"`
	Minor   int    `json:"minor"`
	Machine string `json:"machine,omitempty"`
	Writer  string `json:"writer,omitempty"`
}

// decode reads a ledger. Everything that is not exactly a ledger is ErrUnreadable.
func decode(b []byte) (*page, error) {
	p := newPage()
	if p.decodeKnown(b) {
		return p, nil
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if err := json.Unmarshal(b, &p.head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	switch {
	case p.head.Format != format || p.head.Major < 1:
		return nil, fmt.Errorf("%w: it does not say %q", ErrUnreadable, format)
	case p.head.Major > Major:
		return nil, fmt.Errorf("%w: format %d, this program reads up to %d", ErrNewer, p.head.Major, Major)
	}
	if err := p.decodeEntries(fields["entries"]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	for _, known := range []string{"format", "major", "minor", "machine", "writer", "entries"} {
		delete(fields, known)
	}
	p.rest = fields
	return p, nil
}

// decodeKnown reads a ledger that has nothing but what this version writes, as nearly all
// do. Where it is false, the slow way finds out what is wrong, or what is to be kept.
func (p *page) decodeKnown(b []byte) bool {
	var known struct {
		head
		Entries map[item.Key]*item.Entry `json:"entries"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if d.Decode(&known) != nil || known.Format != format || known.Major != Major || known.Entries == nil {
		return false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return false
	}
	for _, e := range known.Entries {
		if e == nil || !isPhase(e.Phase) {
			return false
		}
	}
	p.head, p.entries = known.head, known.Entries
	return true
}

func (p *page) decodeEntries(b json.RawMessage) error {
	raw := map[item.Key]json.RawMessage{}
	if err := json.Unmarshal(b, &raw); err != nil {
		return fmt.Errorf("entries: %w", err)
	}
	for key, text := range raw {
		e := &item.Entry{}
		if err := json.Unmarshal(text, e); err != nil {
			return fmt.Errorf("entry %q: %w", key, err)
		}
		if !isPhase(e.Phase) {
			return fmt.Errorf("entry %q: phase %q is neither Pending nor Applied", key, e.Phase)
		}
		p.entries[key] = e
		p.keepUnknown(key, text)
	}
	return nil
}

func isPhase(p item.Phase) bool { return p == item.Pending || p == item.Applied }

var entryFields = []string{"before", "alt", "ours", "target", "settled", "phase", "epoch", "delisted", "follows", "owner"}

// keepUnknown remembers the fields of an entry that a newer version added.
func (p *page) keepUnknown(key item.Key, text json.RawMessage) {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(text, &fields) != nil {
		return
	}
	for _, known := range entryFields {
		delete(fields, known)
	}
	if len(fields) == 0 {
		return
	}
	if p.fields == nil {
		p.fields = map[item.Key]map[string]json.RawMessage{}
	}
	p.fields[key] = fields
}
