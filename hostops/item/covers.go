package item

// Coverer is an Expander whose patterns also stand for items that Expand does not list,
// because they are as wanted and nothing shows them: a swap area out of use.
type Coverer interface {
	// Covers reports whether a pattern stands for an owned item without a wish of its
	// own. Such an item has the pattern's wish.
	Covers(pattern, k Key) bool
}
