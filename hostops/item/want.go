package item

// Compare says how a wish is held against what is found.
type Compare uint8

const (
	// Exact: the state must be the wanted one.
	Exact Compare = iota
	// AtLeast: an integer state must not be below the wanted one.
	AtLeast
	// AtMost: an integer state must not be above the wanted one.
	AtMost
	// Present: any state will do as long as the item is there; if it is not, the
	// wanted state is made.
	Present
)

// Source says who asked for a setting.
type Source struct {
	Profile    string `json:"profile,omitempty"`    // name of the HostProfile
	Generation int64  `json:"generation,omitempty"` // 0 outside a cluster
}

// Want is one wish, after all layers were merged.
type Want struct {
	Key     Key
	State   State // wanted state, or the bound for AtLeast and AtMost
	Compare Compare
	// Required: the host is not ready while the wish does not hold.
	Required bool
	// Volatile: never listed in the boot file and recorded in the ledger that dies with
	// the boot. Set for AtLeast and AtMost, and for items that a pattern named.
	Volatile bool
	// SkipMissing: an item that does not exist on this host is fine.
	SkipMissing bool
	// Unmanaged: nobody may set it, a pattern included. It is no wish for a state.
	Unmanaged bool
	// Report: what somebody else changed is told, and not repaired.
	Report bool
	// Hold: neither written nor restored while this boot lasts; the entry is kept.
	Hold bool
	// Source is the profile whose wish won.
	Source Source
}

// Desired is everything that is wanted of one host, at most one wish per key. Wishes
// whose name is a pattern stand in ascending precedence: the last that matches wins.
type Desired struct {
	Wants []Want
}
