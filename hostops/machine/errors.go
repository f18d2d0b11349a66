package machine

import (
	"errors"
	"syscall"
)

// The errors that callers tell apart. Missing things match fs.ErrNotExist, missing
// rights fs.ErrPermission; a full disk is matched with the kernel's own ENOSPC.
var (
	// ErrInvalid: the kernel refuses the value (EINVAL, ERANGE).
	ErrInvalid = errors.New("refused by the kernel as invalid")
	// ErrReadOnly: the file system is mounted read-only (EROFS).
	ErrReadOnly = errors.New("read-only file system")
	// ErrForbidden: the host's configuration forbids it.
	ErrForbidden = errors.New("forbidden by the host's configuration")
	// ErrNotRegular: the path is not a plain file of one name.
	ErrNotRegular = errors.New("not a regular file of its own")
	// ErrNotProcfs: the file is not the kernel's.
	ErrNotProcfs = errors.New("not on procfs")
	// ErrNotEmpty: the directory has entries.
	ErrNotEmpty = errors.New("directory not empty")
	// ErrBusy: something is mounted on it (EBUSY).
	ErrBusy = errors.New("in use")
	// ErrNoSpace: the file system is full, or a quota is used up (ENOSPC, EDQUOT).
	ErrNoSpace = errors.New("no space left")
	// ErrNoMemory: there is not enough memory for it (ENOMEM).
	ErrNoMemory = errors.New("not enough memory")
	// ErrNotDurable: the new content is in place, but could not be made durable.
	ErrNotDurable = errors.New("replaced, but not durable")
	// ErrNoSystemd: systemd is not the host's init, or does not answer.
	ErrNoSystemd = errors.New("systemd does not run")
	// ErrMasked: the unit is masked.
	ErrMasked = errors.New("masked")
	// ErrStrayCopy: a temporary copy could not be removed; the error names it.
	ErrStrayCopy = errors.New("temporary copy left behind")
)

// Cause is why a call failed, in the kernel's own few words, without the paths and steps
// that led there; the whole text of an error that is not the kernel's.
func Cause(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}
