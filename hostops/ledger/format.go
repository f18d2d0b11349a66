package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

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

// page is one ledger in memory: entries decoded, all the rest as it was read.
type page struct {
	head    head
	entries map[item.Key]*item.Entry
	rest    map[string]json.RawMessage              // unknown fields of the ledger
	fields  map[item.Key]map[string]json.RawMessage // unknown fields of entries
	sorted  []item.Key                              // of entries; nil until asked for
}

func newPage() *page {
	return &page{entries: map[item.Key]*item.Entry{}}
}

// keys returns the keys of the entries, sorted. A run asks for them at every step, and
// they are the same until an entry comes or goes.
func (p *page) keys() []item.Key {
	if p.sorted == nil {
		p.sorted = slices.Clip(slices.Sorted(maps.Keys(p.entries))) // who appends, copies
	}
	return p.sorted
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

// encode writes the ledger with sorted entries, one a line: a person may have to read it.
func (p *page) encode() ([]byte, error) {
	h, err := json.Marshal(p.head)
	if err != nil {
		return nil, err
	}
	const usual = 320 // bytes of a record
	out := make([]byte, 0, len(h)+usual*len(p.entries))
	out = append(out, h[:len(h)-1]...)
	out = append(out, ",\"entries\":{"...)
	for i, key := range p.keys() {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = p.appendEntry(out, key); err != nil {
			return nil, err
		}
	}
	out = append(out, "\n}"...)
	if out, err = appendFields(out, p.rest); err != nil {
		return nil, err
	}
	return append(out, "}\n"...), nil
}

func (p *page) appendEntry(out []byte, key item.Key) ([]byte, error) {
	out = append(appendText(append(out, '\n'), string(key)), ':')
	out, err := appendFields(appendRecord(out, p.entries[key]), p.fields[key])
	return append(out, '}'), err
}

func appendFields(out []byte, fields map[string]json.RawMessage) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, ','), quoted...), ':'), fields[name]...)
	}
	return out, nil
}
