package atomicfile

import "errors"

// The failures that callers tell apart. Everything else matches the kernel's errno.
var (
	// ErrNotDurable: the file was replaced, or created, but the directory could not
	// be synced: a power cut may bring the old state back. The next write of the
	// same content is not skipped.
	ErrNotDurable = errors.New("replaced, but not durable")
	// ErrStrayCopy: a temporary name could not be removed, and still holds the
	// content. The error names it; Sweep removes it.
	ErrStrayCopy = errors.New("temporary copy left behind")
	// ErrNotRegular: the name is a link, a directory, a device, a file of several
	// names or one that something is mounted on. Nothing was written.
	ErrNotRegular = errors.New("not a regular file of its own")
)
