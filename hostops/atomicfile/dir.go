package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"
)

// Dir is an open directory, and how files are made in it.
type Dir struct {
	// FD is a handle opened for reading (an O_PATH handle cannot be synced).
	FD int
	// Path is the directory's name in errors.
	Path string
	// Label gives a new file the security label of its final path. It is called
	// before the file has its owner, mode or content; nil: no labels.
	Label func(fd int, path string) error
	// System is the running kernel if nil.
	System System
}

// OpenDir opens a directory by a path that the caller trusts. The last element may
// not be a link.
func OpenDir(path string) (Dir, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return Dir{}, &fs.PathError{Op: "open directory", Path: path, Err: err}
	}
	return Dir{FD: fd, Path: path}, nil
}

// Close gives the handle back.
func (d Dir) Close() error { return unix.Close(d.FD) }

func (d Dir) system() System {
	if d.System == nil {
		return Kernel{}
	}
	return d.System
}

func (d Dir) join(name string) string { return strings.TrimSuffix(d.Path, "/") + "/" + name }

// SyncDir makes the names in a directory durable. A directory whose fsync failed
// must not be synced again through the same handle: the kernel reports an error
// once and then forgets it.
func SyncDir(d Dir) error {
	if err := d.system().Fsync(d.FD); err != nil {
		return fmt.Errorf("fsync directory %s: %w", d.Path, err)
	}
	return nil
}

// checkName refuses what is not one plain name.
func (d Dir) checkName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("%q in %s: %w", name, d.Path, fs.ErrInvalid)
	}
	return nil
}

// Check fails, with ErrNotRegular, where Write and Remove would because of what stands at
// name. Nothing there is fine. It is for files that are written in place.
func Check(d Dir, name string) error {
	if err := d.checkName(name); err != nil {
		return err
	}
	_, err := d.existing(name)
	return err
}

// existing describes the plain file at name. It is nil if there is nothing, and an
// error that matches ErrNotRegular if there is something that must not be replaced.
func (d Dir) existing(name string) (*Stat, error) {
	s, err := d.stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, d.failed("stat", name, err)
	case s.Mode&unix.S_IFMT != unix.S_IFREG:
		return nil, d.refuse(name, "is a "+kind(s.Mode))
	case s.Links > 1:
		return nil, d.refuse(name, fmt.Sprintf("has %d names", s.Links))
	}
	parent, err := d.stat("")
	if err != nil {
		return nil, d.failed("stat", "", err)
	}
	if onAnotherMount(s, parent) {
		return nil, d.refuse(name, "has another file mounted on it")
	}
	return &s, nil
}

// onAnotherMount: on an overlay of several file systems, files and their directory have
// different devices on one mount. So devices count only where there are no mount ids.
func onAnotherMount(file, dir Stat) bool {
	if file.Mount != 0 && dir.Mount != 0 {
		return file.Mount != dir.Mount
	}
	return file.Dev != dir.Dev
}

func (d Dir) stat(name string) (s Stat, err error) {
	err = again(func() error { s, err = d.system().Stat(d.FD, name); return err })
	return s, err
}

func (d Dir) refuse(name, why string) error {
	return fmt.Errorf("%s %s: %w", d.join(name), why, ErrNotRegular)
}

func (d Dir) failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: d.join(name), Err: err}
}

func kind(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFLNK:
		return "symbolic link"
	case unix.S_IFDIR:
		return "directory"
	case unix.S_IFIFO:
		return "pipe"
	case unix.S_IFSOCK:
		return "socket"
	}
	return "device"
}

// again repeats a call that a signal interrupted. It gives up after some tries: a
// file system that always answers so must not hang the program.
func again(call func() error) (err error) {
	for range 10 {
		if err = call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
	return err
}
