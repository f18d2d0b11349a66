package linux

import (
	"errors"
	"io/fs"
	"path"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

func (f *files) Write(p string, content []byte, mode fs.FileMode) error {
	return f.in("write", p, func(d atomicfile.Dir, name string) error {
		return atomicfile.Write(d, name, content, mode)
	})
}

func (f *files) WriteVolatile(p string, content []byte, mode fs.FileMode) error {
	return f.in("write", p, func(d atomicfile.Dir, name string) error {
		return atomicfile.WriteVolatile(d, name, content, mode)
	})
}

func (f *files) Remove(p string) error {
	return f.in("remove", p, atomicfile.Remove)
}

func (f *files) Link(p, target string) error {
	return f.in("link", p, func(d atomicfile.Dir, name string) error {
		if err := unix.Symlinkat(target, d.FD, name); err != nil {
			return err
		}
		return settled(d)
	})
}

func (f *files) Unlink(p string) error {
	return f.in("unlink", p, func(d atomicfile.Dir, name string) error {
		var s unix.Stat_t
		if err := unix.Fstatat(d.FD, name, &s, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return err
		}
		if s.Mode&unix.S_IFMT != unix.S_IFLNK {
			return machine.ErrNotRegular
		}
		if err := unix.Unlinkat(d.FD, name, 0); err != nil {
			return err
		}
		return settled(d)
	})
}

func (f *files) Settle(p string) error {
	return f.in("settle", p, func(d atomicfile.Dir, _ string) error { return settled(d) })
}

func (f *files) Sweep(p string) (swept []string, err error) {
	err = f.in("sweep", p, func(d atomicfile.Dir, name string) (err error) {
		swept, err = atomicfile.Sweep(d, name)
		return err
	})
	return swept, err
}

// Mkdir makes the directory with its mode and owner in one step: a run that is killed
// leaves it as wished or not at all. The two are put right afterwards only where the
// process's mask or the parent's set-group-ID bit made them something else.
func (f *files) Mkdir(p string, mode fs.FileMode) error {
	return f.in("mkdir", p, func(d atomicfile.Dir, name string) error {
		if err := unix.Mkdirat(d.FD, name, uint32(mode.Perm())); err != nil {
			return err
		}
		err := f.own(d.FD, name, p, mode)
		if err == nil {
			return settled(d)
		}
		return errors.Join(err, unix.Unlinkat(d.FD, name, unix.AT_REMOVEDIR))
	})
}

// own gives a new directory its label, and its owner and mode if it has others.
func (f *files) own(dir int, name, p string, mode fs.FileMode) error {
	fd, err := openDirectory(dir, name)
	if err != nil {
		return err
	}
	defer shut(fd)
	if err := f.folderLabel(fd, p); err != nil {
		return err
	}
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return err
	}
	if s.Uid == uint32(unix.Geteuid()) && s.Gid == uint32(unix.Getegid()) && s.Mode&0o7777 == uint32(mode.Perm()) {
		return nil
	}
	return errors.Join(unix.Fchown(fd, unix.Geteuid(), unix.Getegid()), unix.Fchmod(fd, uint32(mode.Perm())))
}

func openDirectory(dir int, name string) (int, error) {
	return unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}

func (f *files) Chmod(p string, mode fs.FileMode) error {
	return f.directory("chmod", p, func(fd int) error { return unix.Fchmod(fd, bitsOf(mode)) })
}

func (f *files) Chown(p string, uid, gid uint32) error {
	return f.directory("chown", p, func(fd int) error { return unix.Fchown(fd, int(uid), int(gid)) })
}

// directory changes what is known of a directory, and makes that durable.
func (f *files) directory(op, p string, change func(fd int) error) error {
	return f.in(op, p, func(d atomicfile.Dir, name string) error {
		fd, err := openDirectory(d.FD, name)
		if err != nil {
			return err
		}
		defer shut(fd)
		if err := change(fd); err != nil {
			return err
		}
		return settled(atomicfile.Dir{FD: fd, Path: p})
	})
}

func (f *files) Rmdir(p string) error {
	return f.in("rmdir", p, func(d atomicfile.Dir, name string) error {
		err := unix.Unlinkat(d.FD, name, unix.AT_REMOVEDIR)
		if errors.Is(err, unix.EEXIST) {
			return unix.ENOTEMPTY
		}
		if err != nil {
			return err
		}
		return settled(d)
	})
}

// settled makes a change of names durable.
func settled(d atomicfile.Dir) error {
	if err := atomicfile.SyncDir(d); err != nil {
		return errors.Join(machine.ErrNotDurable, err)
	}
	return nil
}

// in runs a change in the directory of p. No element of the path may be a link.
func (f *files) in(op, p string, do func(d atomicfile.Dir, name string) error) error {
	fd, name, err := f.root.parent(p, f.root.strict)
	if err != nil {
		return failed(op, p, err)
	}
	defer shut(fd)
	dir := path.Dir(p)
	if err := do(atomicfile.Dir{FD: fd, Path: dir, Label: f.label}, name); err != nil {
		return failed(op, p, onFileSystem(fd, err))
	}
	return nil
}
