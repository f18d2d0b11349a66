package item

import "context"

// Coverer is an Expander whose patterns also stand for items that Expand does not list,
// because they are as wanted and nothing shows them: a swap area out of use.
type Coverer interface {
	// Covers reports whether a pattern stands for an owned item without a wish of its
	// own. Such an item has the pattern's wish.
	Covers(pattern, k Key) bool
}

// Preparer is an Operation whose wishes can bring others along.
type Preparer interface {
	// Prerequisites returns what must hold before the wishes may be applied. The
	// wishes are those that Expand returned; owned are the keys with a record.
	Prerequisites(ctx context.Context, wants []Want, owned []Key) (Prerequisites, error)
}

// Prerequisites are the conditions of a list of wishes.
type Prerequisites struct {
	// Wants are derived wishes, for keys that have no wish of their own. They are
	// applied before the others, by their rank.
	Wants []Want
	// Blocked are the wishes that must be neither applied nor listed, with the reason.
	Blocked map[Key]*Error
}
