package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// notDurable is the mark: the modification time of a file whose name may be lost.
// The zero second is left alone, since build tools set it on purpose. Others know it as
// machine.NotDurable.
var notDurable = unix.Timespec{Sec: 1}

// Write replaces or creates the file name in d: content, permission bits of mode,
// owned by the process's user and group. It returns when the new state is durable. A
// file that has all this already is not written, unless its name may not be durable.
//
// After an error the old file is there, whole, except for ErrNotDurable: then the
// new one is. No temporary file is left, except for ErrStrayCopy.
func Write(d Dir, name string, content []byte, mode fs.FileMode) error {
	return d.replace(name, content, mode, true)
}

// WriteVolatile is Write without any fsync, for files that need not outlive the boot.
// Readers and crashes of the program find the old or the new content all the same.
func WriteVolatile(d Dir, name string, content []byte, mode fs.FileMode) error {
	return d.replace(name, content, mode, false)
}

func (d Dir) replace(name string, content []byte, mode fs.FileMode, sync bool) error {
	if err := d.checkName(name); err != nil {
		return err
	}
	old, err := d.existing(name)
	if err != nil {
		return err
	}
	if old != nil {
		if same, err := d.holds(name, old, content, mode); same || err != nil {
			return err
		}
	}
	t, err := d.create(name)
	if err != nil {
		return err
	}
	if err := t.fill(content, uint32(mode.Perm()), sync); err != nil {
		return t.discard(err)
	}
	if err := t.rename(); err != nil {
		return t.discard(err)
	}
	if !sync {
		return nil
	}
	return d.settle(name)
}

// rename puts the file in place. The kernel answers EBUSY for a name that something
// is mounted on, and EISDIR for a directory that appeared meanwhile.
func (t *temp) rename() error {
	err := again(func() error { return t.dir.system().Rename(t.dir.FD, t.at, t.name) })
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EBUSY):
		return t.dir.refuse(t.name, "has another file mounted on it")
	case errors.Is(err, unix.EISDIR):
		return t.dir.refuse(t.name, "is a directory")
	}
	return t.dir.failed("rename", t.name, err)
}

// settle makes a new name durable and takes the mark off. A mark that stays costs
// one more write later, so its failure is none.
func (d Dir) settle(name string) error {
	if err := SyncDir(d); err != nil {
		return fmt.Errorf("%s: %w: %w", d.join(name), ErrNotDurable, err)
	}
	_ = d.system().SetTime(d.FD, name, unix.Timespec{Nsec: unix.UTIME_NOW})
	return nil
}

// holds reports whether a file has this content, mode and owner, and a durable name.
func (d Dir) holds(name string, s *Stat, content []byte, mode fs.FileMode) (bool, error) {
	if s.Mtime == notDurable || s.Size != int64(len(content)) ||
		s.Mode&0o7777 != uint32(mode.Perm()) ||
		s.UID != uint32(unix.Geteuid()) || s.GID != uint32(unix.Getegid()) {
		return false, nil
	}
	same, err := d.reads(name, content)
	if err != nil {
		return false, d.failed("read", name, err)
	}
	return same, nil
}

// block is how much of a file is compared at once. What is replaced mostly differs in its
// beginning.
const block = 8 << 10

// reads reports whether a file's content is this one.
func (d Dir) reads(name string, content []byte) (bool, error) {
	var fd int
	err := again(func() (err error) { fd, err = d.system().Open(d.FD, name); return err })
	if err != nil {
		return false, err
	}
	defer func() { _ = d.system().Close(fd) }()
	b := make([]byte, min(block, len(content)+1))
	for {
		n := 0
		err := again(func() (err error) { n, err = d.system().Read(fd, b); return err })
		switch {
		case err != nil:
			return false, err
		case n <= 0:
			return len(content) == 0, nil
		case !bytes.HasPrefix(content, b[:n]):
			return false, nil
		}
		content = content[n:]
	}
}
