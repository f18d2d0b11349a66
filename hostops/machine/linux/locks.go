package linux

import (
	"errors"
	"path"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// locks implements machine.Locks with flock(2): a lock belongs to an open file, so
// the kernel ends it with the process, however that dies.
type locks struct {
	root  *root
	label func(fd int, path string) error
}

// maxTries is how often the lock file may be removed while it is being locked.
const maxTries = 100

// maxNote bounds what is read of a holder's note.
const maxNote = 512

func (l *locks) TryLock(path, note string) (func() error, error) {
	for range maxTries {
		fd, current, err := l.take(path)
		if err != nil {
			return nil, l.failed(path, err)
		}
		if !current {
			// The file was removed between open and flock: a lock on it keeps
			// nobody out.
			shut(fd)
			continue
		}
		if err := writeNote(fd, note); err != nil {
			shut(fd)
			return nil, l.failed(path, err)
		}
		return sync.OnceValue(func() error { return failed("unlock", path, release(fd)) }), nil
	}
	return nil, failed("lock", path, unix.ESTALE)
}

func (l *locks) failed(path string, err error) error {
	var busy *machine.BusyError
	if errors.As(err, &busy) {
		return err
	}
	return failed("lock", path, err)
}

// take opens and locks the file, and reports whether its name still leads to it. What it
// will write into is a file of its own, and no other name of somebody else's.
func (l *locks) take(p string) (fd int, current bool, err error) {
	dir, name, err := l.root.parent(p, l.root.strict)
	if err != nil {
		return -1, false, err
	}
	defer shut(dir)
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	if fd, err = unix.Openat(dir, name, flags, 0o600); err != nil {
		return -1, false, err
	}
	if err = lock(fd, p); err == nil {
		err = atomicfile.Check(atomicfile.Dir{FD: dir, Path: path.Dir(p)}, name)
	}
	if err == nil {
		current, err = sameFile(fd, dir, name)
	}
	if err == nil && current {
		err = l.label(fd, p)
	}
	if err != nil {
		shut(fd)
		return -1, false, err
	}
	return fd, current, nil
}

func lock(fd int, path string) error {
	err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return &machine.BusyError{Path: path, Holder: readNote(fd)}
	}
	return err
}

func sameFile(fd, dir int, name string) (bool, error) {
	var held, named unix.Stat_t
	if err := unix.Fstat(fd, &held); err != nil {
		return false, err
	}
	err := unix.Fstatat(dir, name, &named, unix.AT_SYMLINK_NOFOLLOW)
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	}
	return held.Dev == named.Dev && held.Ino == named.Ino, err
}

func writeNote(fd int, note string) error {
	if err := unix.Ftruncate(fd, 0); err != nil {
		return err
	}
	_, err := unix.Pwrite(fd, []byte(note), 0)
	return err
}

// readNote returns what the holder says of itself. One that has not said it yet, or
// said nothing, is "another process".
func readNote(fd int) string {
	b := make([]byte, maxNote)
	n, err := unix.Pread(fd, b, 0)
	if note := strings.TrimSpace(string(b[:max(n, 0)])); err == nil && note != "" {
		return note
	}
	return "another process"
}

// release takes the note back before the lock, so that the next holder's is never
// read as ours.
func release(fd int) error {
	return errors.Join(unix.Ftruncate(fd, 0), unix.Close(fd))
}
