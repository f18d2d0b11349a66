package machine

import "fmt"

// Locks takes the host-wide locks that keep two runs apart.
type Locks interface {
	// TryLock takes the exclusive lock on path without waiting and leaves note in
	// the file for whoever finds it taken. The lock ends with release or with the
	// process. Taken by another: a *BusyError.
	TryLock(path, note string) (release func() error, err error)
	// Holder returns the note of whoever holds the lock on path; empty if nobody does. It
	// only looks: nobody who tries to take the lock is kept out by it.
	Holder(path string) (note string, err error)
}

// BusyError says who holds a lock.
type BusyError struct {
	Path   string
	Holder string // the holder's note, such as "bootstrap up, pid 2211"
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is held by %s", e.Path, e.Holder)
}
