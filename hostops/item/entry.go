package item

import "slices"

// Phase is the state of a ledger entry.
type Phase string

const (
	// Pending: written ahead; the host may or may not have been changed.
	Pending Phase = "Pending"
	// Applied: the host was read back and holds Settled.
	Applied Phase = "Applied"
)

// Store names the ledger that holds an entry.
type Store uint8

const (
	// Durable survives a reboot: for what we also persist.
	Durable Store = iota
	// Volatile dies with the boot, and so do the settings that it records.
	Volatile
)

// Entry records what we own of one item and what was there before us.
type Entry struct {
	// Before is what to give back.
	Before State `json:"before"`
	// Alt is a value found in a later boot while a write was pending. It replaces
	// Before once it is proved not to be our own line as the kernel clamped it.
	Alt *State `json:"alt,omitempty"`
	// Ours are the values that may be live because of us. It is rebuilt at every
	// write, never appended to.
	Ours []State `json:"ours"`
	// Target is the value last asked for.
	Target State `json:"target"`
	// Settled is what the kernel made of Target: Target itself unless clamped.
	Settled State `json:"settled"`
	Phase   Phase `json:"phase"`
	// Epoch is the incarnation in which the live value was last seen by us: boot id,
	// boot id and interface index for interface keys, empty for files.
	Epoch string `json:"epoch,omitempty"`
	// Delisted is the epoch in which our boot file stopped listing the key while it
	// could not be observed.
	Delisted string `json:"delisted,omitempty"`
	// Follows names the master whose effect Before was when it was recorded: Before
	// moves with it, because without us the item would have followed it.
	Follows Key    `json:"follows,omitempty"`
	Owner   Source `json:"owner,omitzero"`
}

// Equal reports whether two records say the same. Either may be nil.
func (e *Entry) Equal(o *Entry) bool {
	if e == nil || o == nil {
		return e == o
	}
	alt := e.Alt == nil && o.Alt == nil || e.Alt != nil && o.Alt != nil && *e.Alt == *o.Alt
	return alt && e.Before == o.Before && slices.Equal(e.Ours, o.Ours) &&
		e.Target == o.Target && e.Settled == o.Settled && e.Phase == o.Phase && e.Epoch == o.Epoch &&
		e.Delisted == o.Delisted && e.Follows == o.Follows && e.Owner == o.Owner
}

// Owns reports whether s may be live because of us.
func (e *Entry) Owns(s State) bool { return e != nil && slices.Contains(e.Ours, s) }

// fresh reports whether the live value was last seen by us in this incarnation.
func (e *Entry) fresh(epoch string) bool { return e.Epoch == epoch }

// Clone returns a deep copy, so that a plan never shares memory with the ledger.
func (e *Entry) Clone() Entry {
	c := *e
	c.Ours = slices.Clone(e.Ours)
	if e.Alt != nil {
		alt := *e.Alt
		c.Alt = &alt
	}
	return c
}

// settleAlt takes an open Alt as the value to give back.
func (e *Entry) settleAlt() {
	if e.Alt != nil {
		e.Before, e.Alt, e.Follows = *e.Alt, nil, ""
	}
}

// states returns the given states without duplicates and without unknown ones.
func states(list ...State) []State {
	kept := make([]State, 0, 4) // mostly enough, and gone with the call
	for _, s := range list {
		if s.Known() && !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return append(make([]State, 0, len(kept)), kept...)
}
