package machine

import (
	"io/fs"
	"time"
)

// Files reads and changes the host's files. Every change is atomic and, on a file
// system that keeps its promises, durable when it returns.
//
// A symlink, device, directory, hard-linked or bind-mounted file is never replaced:
// the error names it and matches ErrNotRegular.
type Files interface {
	// Read returns a file's whole content. Links in the path are followed, within
	// the host. A file of more than MaxFileSize bytes is an error.
	Read(path string) ([]byte, error)
	// Lstat describes path itself; links in the directory are followed. Its Sys is
	// an Owner.
	Lstat(path string) (fs.FileInfo, error)
	// ReadDir returns the names in a directory, sorted.
	ReadDir(path string) ([]string, error)
	// Readlink returns the target of a link.
	Readlink(path string) (string, error)
	// Write replaces or creates a regular file owned by root. A file that has this
	// content and mode already is not written. It can fail with ErrNotDurable (the
	// new content is there, but a power cut may take it back) and ErrStrayCopy. Until
	// it is durable the file has the time NotDurable.
	// The parent directory must exist.
	Write(path string, content []byte, mode fs.FileMode) error
	// WriteVolatile is Write without any fsync, for files below /run, which die with
	// the boot: atomic all the same.
	WriteVolatile(path string, content []byte, mode fs.FileMode) error
	// Remove deletes a regular file. A missing file is fs.ErrNotExist.
	Remove(path string) error
	// Link makes a symbolic link, and never replaces anything: what has the path already
	// is fs.ErrExist.
	Link(path, target string) error
	// Unlink removes a symbolic link. Anything else is ErrNotRegular, and stays.
	Unlink(path string) error
	// Mkdir creates one directory with exactly this mode, owned by root.
	Mkdir(path string, mode fs.FileMode) error
	// Chmod sets the permission bits of a directory, with its set-id and sticky bits.
	Chmod(path string, mode fs.FileMode) error
	// Chown gives a directory to a user and a group.
	Chown(path string, uid, gid uint32) error
	// Rmdir removes an empty directory. One that is not empty is ErrNotEmpty, and one
	// that something is mounted on is ErrBusy.
	Rmdir(path string) error
	// Settle makes durable what was done to the name path, there or gone: a process may
	// have died before it could. It can fail with ErrNotDurable.
	Settle(path string) error
	// Sweep removes stray temporary files that a crash left beside path and returns
	// their names.
	Sweep(path string) ([]string, error)
}

// NotDurable is the modification time of a file that Write has put in place and not made
// durable yet: so every process can tell whether the one that wrote it came to an end.
var NotDurable = time.Unix(1, 0)

// MaxFileSize bounds what Read returns, in bytes.
const MaxFileSize = 16 << 20
