package item

import "context"

// Operation serves one kind of item. Observe and Apply are all that a new kind of
// setting has to bring: plan, dry run, drift, give-back and status follow from them.
//
// The error of Observe or Apply is the item's failure, not the run's: it is an
// *Error wherever a reason is known.
type Operation interface {
	Kind() Kind
	// Traits says how an item is recorded. It must not depend on the item's state.
	Traits(Key) Traits
	// Observe returns the canonical state. Unknown comes with an error that says
	// why; an item that is plainly not there is Absent without an error.
	Observe(context.Context, Key) (State, error)
	// Apply changes the item from one state, as just observed, to another. It does
	// not read back: the engine observes again.
	Apply(ctx context.Context, k Key, from, to State) error
}

// Traits are the properties of an item that its kind decides.
type Traits struct {
	// Store is the ledger that records the item.
	Store Store
	// Listed: the stage's boot file may list it, so that a reboot can set it.
	Listed bool
	// Epoch is the present incarnation of the live value; empty for files.
	Epoch string
	// OneWay: never undone while the boot lasts (a module, a mount). Giving back
	// releases the record.
	OneWay bool
	// Slow: a write can take minutes, and the run lock is not held meanwhile.
	Slow bool
	// Nested: other items can rest on it, as those inside a folder do; those of its kind
	// are named after it. Giving back begins with the innermost and ends with what others
	// rest on.
	Nested bool
	// Rank orders the writes of a stage: lower first, on set and on restore.
	Rank int
	// NextBoot: the host of the item does not run, or only to be made an image of. The item
	// is neither looked at nor written; the boot file sets it at the next boot.
	NextBoot bool
}

// Batcher is an Operation that serves many items at once faster than one by one. Each
// method does to every item what the one without "All" does, and returns what came of them
// in the order of the items.
type Batcher interface {
	TraitsAll([]Key) []Traits
	ObserveAll(context.Context, []Key) []Observation
	// ApplyAll writes in any order.
	ApplyAll(context.Context, []Step) []error
}

// Observation is what Observe returns.
type Observation struct {
	State State
	Err   error
}

// Step is what Apply takes.
type Step struct {
	Key      Key
	From, To State
}

// Settler is an Operation whose items outlive the boot: a run may die when an item is as
// wished and not yet durable.
type Settler interface {
	// Settle makes an item durable as it is. The engine asks for it where a record was
	// written ahead and nothing is left to do.
	Settle(context.Context, Key) error
}

// Expander is an Operation whose wishes can be patterns.
type Expander interface {
	// Expand splits wishes into those that name one item and those that are a
	// pattern, and adds the items which the patterns name at present. The result
	// has each key once; a wish that names a key beats every pattern.
	Expand(context.Context, []Want) (single, patterns []Want, err error)
}

// Coupler is an Operation whose items depend on each other in the kernel.
type Coupler interface {
	// Effects lists the present items that change when k goes from one state to
	// another, with the state they then have.
	Effects(ctx context.Context, k Key, from, to State) ([]Effect, error)
}

// Stepper is an Operation whose writes take several steps. A crash can leave an item after
// any of them, and it is ours all the same.
type Stepper interface {
	// Steps returns the states between two, if any.
	Steps(from, to State) []State
}

// Effect is what a write to one item, its master, does to another.
type Effect struct {
	Key Key
	// Follows is the state that an item has which still follows its master.
	Follows State
	// To is the state after the write.
	To State
	// Forced: the item takes To even if it does not follow.
	Forced bool
}

// BootFile is the file through which the next boot sets a stage's items before we run.
type BootFile interface {
	Key() Key
	// Render returns the file's content for the given lines: one a key, and the
	// patterns. No lines give Absent.
	Render(lines map[Key]State, patterns []Want) State
	// Lines returns what a content, as Observe of the file returned it, sets at
	// boot, effects included.
	Lines(content State) map[Key]State
}
