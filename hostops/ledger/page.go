package ledger

import (
	"encoding/json"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
)

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
		p.sorted = p.keysWith(nil)
	}
	return p.sorted
}

// after returns the keys as they are after an update, sorted, and whether it changes
// anything.
func (p *page) after(update map[item.Key]*item.Entry) (keys []item.Key, differs bool) {
	for k, e := range update {
		old := p.entries[k]
		if (e == nil) != (old == nil) {
			return p.keysWith(update), true
		}
		differs = differs || !e.Equal(old)
	}
	return p.keys(), differs
}

// keysWith returns the keys as they are after an update, sorted. Who appends to them, copies.
func (p *page) keysWith(update map[item.Key]*item.Entry) []item.Key {
	keys := make([]item.Key, 0, len(p.entries)+len(update))
	for k := range p.entries {
		if _, updated := update[k]; !updated {
			keys = append(keys, k)
		}
	}
	for k, e := range update {
		if e != nil {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Clip(keys)
}

// set takes an update over.
func (p *page) set(update map[item.Key]*item.Entry, keys []item.Key) {
	if len(p.entries) == 0 {
		p.entries = make(map[item.Key]*item.Entry, len(update))
	}
	for k, e := range update {
		if e == nil {
			delete(p.entries, k)
			continue
		}
		p.entries[k] = e
	}
	p.sorted = keys
}
