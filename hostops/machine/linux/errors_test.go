package linux_test

import (
	"errors"
	"io/fs"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// Every error matches what callers look for, and still matches what the kernel said.
func TestErrorsHaveTheMachinesNames(t *testing.T) {
	for cause, meaning := range map[error]error{
		unix.EROFS:               machine.ErrReadOnly,
		unix.ENOSPC:              machine.ErrNoSpace,
		unix.EDQUOT:              machine.ErrNoSpace,
		unix.EINVAL:              machine.ErrInvalid,
		unix.ERANGE:              machine.ErrInvalid,
		unix.EACCES:              fs.ErrPermission,
		unix.EPERM:               fs.ErrPermission,
		unix.ENOENT:              fs.ErrNotExist,
		unix.EISDIR:              machine.ErrNotRegular,
		unix.ENOTDIR:             machine.ErrNotRegular,
		unix.ELOOP:               machine.ErrNotRegular,
		atomicfile.ErrNotDurable: machine.ErrNotDurable,
		atomicfile.ErrStrayCopy:  machine.ErrStrayCopy,
		atomicfile.ErrNotRegular: machine.ErrNotRegular,
		unix.EIO:                 unix.EIO,
	} {
		// The label is where a caller's own function can fail a write.
		m, err := linux.New(t.TempDir(), linux.Label(func(int, string) error { return cause }))
		must(t, err)
		err = m.Files.Write("/f", nil, 0o600)
		if !errors.Is(err, cause) || !errors.Is(err, meaning) {
			t.Errorf("%v does not match %v and %v", err, cause, meaning)
		}
	}
}
