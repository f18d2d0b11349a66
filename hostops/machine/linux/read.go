package linux

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// files implements machine.Files below a root.
type files struct {
	root *root
	// label and folderLabel give what was just made the label of its final path.
	label, folderLabel func(fd int, path string) error
}

func (f *files) Read(p string) ([]byte, error) {
	handle, err := f.root.follow(p)
	if err != nil {
		return nil, failed("read", p, err)
	}
	defer shut(handle)
	var s unix.Stat_t
	if err := unix.Fstat(handle, &s); err != nil {
		return nil, failed("read", p, err)
	}
	if s.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, failed("read", p, machine.ErrNotRegular)
	}
	fd, err := reopen(handle, unix.O_RDONLY)
	if err != nil {
		return nil, failed("read", p, err)
	}
	defer shut(fd)
	b, err := readAll(fd, int(s.Size))
	return b, failed("read", p, err)
}

// readAll reads a file from its start to its end. size is a guess: files of /proc
// and /sys have none.
func readAll(fd, size int) ([]byte, error) {
	b := make([]byte, 0, min(max(size, 0), machine.MaxFileSize)+512)
	for {
		n, err := unix.Read(fd, b[len(b):cap(b)])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, err
		case n == 0:
			return b, nil
		}
		if b = b[:len(b)+n]; len(b) > machine.MaxFileSize {
			return nil, fmt.Errorf("larger than %d bytes: %w", machine.MaxFileSize, unix.EFBIG)
		}
		b = slices.Grow(b, 512)
	}
}

func (f *files) Lstat(p string) (fs.FileInfo, error) {
	handle, err := f.entry(p)
	if err != nil {
		return nil, failed("lstat", p, err)
	}
	defer shut(handle)
	var s unix.Stat_t
	if err := unix.Fstat(handle, &s); err != nil {
		return nil, failed("lstat", p, err)
	}
	return info{path.Base(p), s}, nil
}

func (f *files) Readlink(p string) (string, error) {
	handle, err := f.entry(p)
	if err != nil {
		return "", failed("readlink", p, err)
	}
	defer shut(handle)
	var s unix.Stat_t
	if err := unix.Fstat(handle, &s); err != nil {
		return "", failed("readlink", p, err)
	}
	if s.Mode&unix.S_IFMT != unix.S_IFLNK {
		return "", failed("readlink", p, unix.EINVAL)
	}
	target, err := readlink(handle)
	return target, failed("readlink", p, err)
}

// entry opens a path itself: links are followed but for the last element.
func (f *files) entry(p string) (int, error) {
	if p == "/" {
		return f.root.follow(p)
	}
	dir, name, err := above(p, f.root.follow)
	if err != nil {
		return -1, err
	}
	defer shut(dir)
	return openPath(dir, name)
}

func (f *files) ReadDir(p string) ([]string, error) {
	handle, err := f.root.follow(p)
	if err != nil {
		return nil, failed("readdir", p, err)
	}
	defer shut(handle)
	names, err := list(handle, ".")
	return names, failed("readdir", p, err)
}

// list returns the names in a directory, sorted.
func list(dir int, name string) ([]string, error) {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	d := os.NewFile(uintptr(fd), name)
	defer func() { _ = d.Close() }()
	names, err := d.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// info describes a file. Its Sys is a machine.Owner.
type info struct {
	name string
	stat unix.Stat_t
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.stat.Size }
func (i info) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i info) IsDir() bool        { return i.Mode().IsDir() }

func (i info) Sys() any {
	return machine.Owner{UID: i.stat.Uid, GID: i.stat.Gid, Links: uint64(i.stat.Nlink)} //nolint:unconvert // 32 bits on arm64
}

func (i info) Mode() fs.FileMode {
	mode := fs.FileMode(i.stat.Mode&0o777) | kinds[i.stat.Mode&unix.S_IFMT]
	for _, s := range special {
		if i.stat.Mode&s.bit != 0 {
			mode |= s.mode
		}
	}
	return mode
}

// special are the bits that Go keeps elsewhere than the kernel.
var special = []struct {
	bit  uint32
	mode fs.FileMode
}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}}

// bitsOf returns a mode as the kernel has it, without the type.
func bitsOf(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	for _, s := range special {
		if mode&s.mode != 0 {
			bits |= s.bit
		}
	}
	return bits
}

var kinds = map[uint32]fs.FileMode{
	unix.S_IFDIR: fs.ModeDir, unix.S_IFLNK: fs.ModeSymlink, unix.S_IFIFO: fs.ModeNamedPipe,
	unix.S_IFSOCK: fs.ModeSocket, unix.S_IFBLK: fs.ModeDevice, unix.S_IFCHR: fs.ModeDevice | fs.ModeCharDevice,
}
