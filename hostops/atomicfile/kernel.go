package atomicfile

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Kernel is the System of the running kernel.
type Kernel struct{}

// Create does not follow a link that has the name.
func (Kernel) Create(dir int, name string) (int, error) {
	const flags = unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_WRONLY | unix.O_CLOEXEC
	return unix.Openat(dir, name, flags, 0o600)
}

// Open does not wait for the writer of a pipe that took the file's place.
func (Kernel) Open(dir int, name string) (int, error) {
	return unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// Stat is statx(2), for the id of the mount.
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

// Read is read(2).
func (Kernel) Read(fd int, b []byte) (int, error) { return unix.Read(fd, b) }

// Write is write(2): it may take a part.
func (Kernel) Write(fd int, b []byte) (int, error) { return unix.Write(fd, b) }

// Chown is fchown(2).
func (Kernel) Chown(fd, uid, gid int) error { return unix.Fchown(fd, uid, gid) }

// Chmod is fchmod(2).
func (Kernel) Chmod(fd int, mode uint32) error { return unix.Fchmod(fd, mode) }

// Fsync is fsync(2).
func (Kernel) Fsync(fd int) error { return unix.Fsync(fd) }

// Close is close(2): the descriptor is gone, whatever it answers.
func (Kernel) Close(fd int) error { return unix.Close(fd) }

// Rename is renameat(2) within dir.
func (Kernel) Rename(dir int, from, to string) error { return unix.Renameat(dir, from, dir, to) }

// Link is linkat(2) within dir.
func (Kernel) Link(dir int, from, to string) error { return unix.Linkat(dir, from, dir, to, 0) }

// Unlink is unlinkat(2).
func (Kernel) Unlink(dir int, name string) error { return unix.Unlinkat(dir, name, 0) }

// SetTime leaves the access time alone.
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
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}
