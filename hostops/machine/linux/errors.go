package linux

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// meanings are the machine's errors for what the kernel and atomicfile say. Errno
// matches fs.ErrNotExist, fs.ErrExist and fs.ErrPermission by itself.
var meanings = []struct{ cause, meaning error }{
	{atomicfile.ErrNotDurable, machine.ErrNotDurable},
	{atomicfile.ErrStrayCopy, machine.ErrStrayCopy},
	{atomicfile.ErrNotRegular, machine.ErrNotRegular},
	{unix.EROFS, machine.ErrReadOnly},
	{unix.EINVAL, machine.ErrInvalid},
	{unix.ERANGE, machine.ErrInvalid},
	{unix.ENOSPC, machine.ErrNoSpace},
	{unix.EDQUOT, machine.ErrNoSpace},
	{unix.ENOTEMPTY, machine.ErrNotEmpty},
	{unix.EBUSY, machine.ErrBusy},
	{unix.ENOMEM, machine.ErrNoMemory},
	{unix.EISDIR, machine.ErrNotRegular},
	{unix.ENOTDIR, machine.ErrNotRegular},
	{unix.ELOOP, machine.ErrNotRegular},
	{unix.ENODEV, fs.ErrNotExist},
}

// meaning adds to an error the machine's names for it. The text stays.
type meaning struct {
	error
	names []error
}

func (m *meaning) Unwrap() []error { return append([]error{m.error}, m.names...) }

// translate lets err match the errors of package machine as well.
func translate(err error) error {
	if err == nil {
		return nil
	}
	var names []error
	for _, m := range meanings {
		if errors.Is(err, m.cause) {
			names = append(names, m.meaning)
		}
	}
	if names == nil {
		return err
	}
	return &meaning{err, names}
}

// failed returns an error that says what was tried.
func failed(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return translate(&fs.PathError{Op: op, Path: path, Err: err})
}

// named is failed with a reason in words.
func named(op, path, why string, meaning error) error {
	return &fs.PathError{Op: op, Path: path, Err: fmt.Errorf("%s: %w", why, meaning)}
}
