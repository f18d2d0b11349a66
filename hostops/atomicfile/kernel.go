package atomicfile

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Kernel is the System of the running kernel.
type Kernel struct{}

func (Kernel) Create(dir int, name string) (int, error) {
	const flags = unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_WRONLY | unix.O_CLOEXEC
	return unix.Openat(dir, name, flags, 0o600)
}

// Open does not wait for the writer of a pipe that took the file's place.
func (Kernel) Open(dir int, name string) (int, error) {
	return unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

func (Kernel) Stat(dir int, name string) (Stat, error) {
	flags := unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	var x unix.Statx_t
	if err := unix.Statx(dir, name, flags, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &x); err != nil {
		return Stat{}, err
	}
	s := Stat{
		Mode: uint32(x.Mode), UID: x.Uid, GID: x.Gid, Links: x.Nlink, Size: int64(x.Size),
		Mtime: unix.Timespec{Sec: x.Mtime.Sec, Nsec: int64(x.Mtime.Nsec)},
		Dev:   unix.Mkdev(x.Dev_major, x.Dev_minor), Ino: x.Ino,
	}
	if x.Mask&unix.STATX_MNT_ID != 0 {
		s.Mount = x.Mnt_id
	}
	return s, nil
}

func (Kernel) Read(fd int, b []byte) (int, error)    { return unix.Read(fd, b) }
func (Kernel) Write(fd int, b []byte) (int, error)   { return unix.Write(fd, b) }
func (Kernel) Chown(fd, uid, gid int) error          { return unix.Fchown(fd, uid, gid) }
func (Kernel) Chmod(fd int, mode uint32) error       { return unix.Fchmod(fd, mode) }
func (Kernel) Fsync(fd int) error                    { return unix.Fsync(fd) }
func (Kernel) Close(fd int) error                    { return unix.Close(fd) }
func (Kernel) Rename(dir int, from, to string) error { return unix.Renameat(dir, from, dir, to) }
func (Kernel) Link(dir int, from, to string) error   { return unix.Linkat(dir, from, dir, to, 0) }
func (Kernel) Unlink(dir int, name string) error     { return unix.Unlinkat(dir, name, 0) }

func (Kernel) SetTime(dir int, name string, t unix.Timespec) error {
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, t}
	return unix.UtimesNanoAt(dir, name, times, unix.AT_SYMLINK_NOFOLLOW)
}

// Names opens the directory anew, so that the caller's handle keeps no position.
func (Kernel) Names(dir int) ([]string, error) {
	fd, err := unix.Openat(dir, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}
