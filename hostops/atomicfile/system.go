package atomicfile

import "golang.org/x/sys/unix"

// System is the system calls that this package makes, and the seam at which tests
// fail them and record their order. All names are single elements below the
// directory handle dir, and no call follows a link.
//
// A record of the calls with their results is enough to work out every state that a
// crash may leave: which names an inode had, what was written to it, and which of
// that was synced before.
type System interface {
	// Create makes and opens a new file for writing; an existing name is EEXIST.
	Create(dir int, name string) (fd int, err error)
	// Open opens an existing file for reading.
	Open(dir int, name string) (fd int, err error)
	// Stat describes a name in dir, or dir itself if name is empty.
	Stat(dir int, name string) (Stat, error)
	Read(fd int, b []byte) (int, error)
	Write(fd int, b []byte) (int, error)
	Chown(fd, uid, gid int) error
	Chmod(fd int, mode uint32) error
	Fsync(fd int) error
	Close(fd int) error
	Rename(dir int, from, to string) error
	// Link gives a file a second name; an existing one is EEXIST.
	Link(dir int, from, to string) error
	Unlink(dir int, name string) error
	// SetTime sets the modification time of a name in dir.
	SetTime(dir int, name string, t unix.Timespec) error
	// Names lists dir.
	Names(dir int) ([]string, error)
}

// Stat is what a write needs to know of a file.
type Stat struct {
	Mode     uint32 // type and permissions, as the kernel has them
	UID, GID uint32
	Links    uint32
	Size     int64
	Mtime    unix.Timespec
	Dev, Ino uint64
	// Mount is the id of the mount that the file is on; 0 on kernels before 5.8.
	Mount uint64
}
