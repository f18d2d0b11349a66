package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// CreateExclusive is Write for a file that must never replace one: an existing name,
// whatever it is, gives an error that matches fs.ErrExist.
//
// The FileInfo is that of the file this call created, and is returned once the file
// has its name, also with ErrNotDurable and ErrStrayCopy. Its Sys method returns the
// Stat, so that a caller can take back exactly this inode.
func CreateExclusive(d Dir, name string, content []byte, mode fs.FileMode) (fs.FileInfo, error) {
	if err := d.checkName(name); err != nil {
		return nil, err
	}
	t, err := d.create(name)
	if err != nil {
		return nil, err
	}
	if err := t.fill(content, uint32(mode.Perm()), true); err != nil {
		return nil, t.discard(err)
	}
	made, err := d.stat(t.at)
	if err != nil {
		return nil, t.discard(d.failed("stat", t.at, err))
	}
	if err := again(func() error { return d.system().Link(d.FD, t.at, name) }); err != nil {
		return nil, t.discard(d.failed("link", name, err))
	}
	made.Links = 1
	stray := t.unlink()
	if stray != nil {
		made.Links = 2
	}
	return info{name, made}, join(stray, d.settle(name))
}

// join returns both errors in one, or the one there is.
func join(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return fmt.Errorf("%w; %w", a, b)
}

// Remove deletes the plain file at name and makes that durable. A missing file is
// fs.ErrNotExist; what Write would not replace is ErrNotRegular. If the directory
// cannot be synced, the file is gone and the error matches ErrNotDurable.
func Remove(d Dir, name string) error {
	if err := d.checkName(name); err != nil {
		return err
	}
	old, err := d.existing(name)
	if err != nil {
		return err
	}
	if old == nil {
		return d.failed("remove", name, fs.ErrNotExist)
	}
	err = again(func() error { return d.system().Unlink(d.FD, name) })
	if errors.Is(err, unix.EBUSY) {
		return d.refuse(name, "has another file mounted on it")
	}
	if err != nil {
		return d.failed("remove", name, err)
	}
	if err := SyncDir(d); err != nil {
		return fmt.Errorf("remove %s: %w: %w", d.join(name), ErrNotDurable, err)
	}
	return nil
}

// Sweep removes the temporary files that crashed writes of name left in d, and
// returns their names. No write of name may be under way.
func Sweep(d Dir, name string) ([]string, error) {
	if err := d.checkName(name); err != nil {
		return nil, err
	}
	names, err := d.system().Names(d.FD)
	if err != nil {
		return nil, d.failed("list", "", err)
	}
	var swept []string
	for _, n := range names {
		if !IsTemp(name, n) {
			continue
		}
		if err := (&temp{dir: d, at: n, fd: -1}).unlink(); err != nil {
			return swept, err
		}
		swept = append(swept, n)
	}
	return swept, nil
}

// info describes a created file.
type info struct {
	name string
	stat Stat
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.stat.Size }
func (i info) Mode() fs.FileMode  { return fs.FileMode(i.stat.Mode & 0o777) }
func (i info) ModTime() time.Time { return time.Unix(i.stat.Mtime.Unix()) }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return i.stat }
