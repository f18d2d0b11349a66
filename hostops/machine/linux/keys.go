package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// keys reads and writes sysctls through files that are kept open: opening is what costs, and
// a run reads, writes and reads each key again. One thread uses it at a time.
type keys struct {
	dir  int // O_PATH handle of /proc/sys
	max  int // files kept open at most
	kept map[string]kept
	text []byte // of the value that is read or written, at hand for the next one
}

// kept is an open key.
type kept struct {
	fd    int
	write bool // open for writing
	read  bool // open for reading
}

// read returns a key's value without its last newline.
func (o *keys) read(path string) (string, error) {
	var value string
	err := o.do(path, false, func(fd int) (err error) {
		value, err = o.preadAll(fd)
		return err
	})
	return value, err
}

// write writes a value and a newline with one call at the file's start: the kernel
// takes every call as a whole value, and ignores one that does not start there.
func (o *keys) write(path, value string) error {
	if len(value) > machine.MaxSysctl {
		return fmt.Errorf("value of %d bytes, the kernel takes %d: %w", len(value), machine.MaxSysctl, machine.ErrInvalid)
	}
	return o.do(path, true, func(fd int) error {
		o.text = append(append(o.text[:0], value...), '\n')
		n, err := unix.Pwrite(fd, o.text, 0)
		if err == nil && n < len(o.text)-1 {
			return fmt.Errorf("the kernel took %d of %d bytes: %w", n, len(o.text), machine.ErrInvalid)
		}
		return err
	})
}

// do runs a call on a key's kept file, opened anew if its key is gone: the kernel
// answers ENOENT then, whatever has its name now.
func (o *keys) do(path string, write bool, call func(fd int) error) error {
	k, ok := o.kept[path]
	if ok && (write && k.write || !write && k.read) {
		if err := call(k.fd); !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	o.drop(path)
	k, err := o.open(path, write)
	if err != nil {
		return err
	}
	o.keep(path, k)
	if err = call(k.fd); errors.Is(err, unix.ENOENT) {
		return o.missing(path)
	}
	return err
}

// missing tells a key that vanished from a value that names something missing: the
// kernel says ENOENT for a congestion control that it does not have.
func (o *keys) missing(path string) error {
	if gone := unix.Faccessat(o.dir, path, unix.F_OK, 0); gone != nil {
		return gone
	}
	return fmt.Errorf("the value names something that is not there: %w", machine.ErrInvalid)
}

// open opens a key for both ways, or for the one asked for, and proves that it is the
// kernel's.
func (o *keys) open(path string, write bool) (kept, error) {
	if !fs.ValidPath(path) || path == "." || strings.ContainsRune(path, 0) {
		return kept{}, fmt.Errorf("not a path below /proc/sys: %w", fs.ErrInvalid)
	}
	k, err := o.openAt(path, write)
	if errors.Is(err, unix.EMFILE) && len(o.kept) > 0 {
		o.dropAll()
		k, err = o.openAt(path, write)
	}
	if err != nil {
		return kept{}, err
	}
	if err := isProcfs(k.fd); err != nil {
		shut(k.fd)
		return kept{}, err
	}
	return k, nil
}

func (o *keys) openAt(path string, write bool) (kept, error) {
	const flags = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	fd, err := unix.Openat(o.dir, path, flags|unix.O_RDWR, 0)
	if err == nil {
		return kept{fd, true, true}, nil
	}
	if !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EROFS) {
		return kept{}, err
	}
	one := unix.O_RDONLY
	if write {
		one = unix.O_WRONLY
	}
	fd, err = unix.Openat(o.dir, path, flags|one, 0)
	return kept{fd, write, !write}, err
}

// isProcfs refuses a file that something else mounted over the key.
func isProcfs(fd int) error {
	var s unix.Statfs_t
	if err := unix.Fstatfs(fd, &s); err != nil {
		return err
	}
	if s.Type != unix.PROC_SUPER_MAGIC {
		return fmt.Errorf("file system type %#x: %w", s.Type, machine.ErrNotProcfs)
	}
	return nil
}

func (o *keys) keep(path string, k kept) {
	if len(o.kept) >= o.max {
		for other := range o.kept {
			o.drop(other)
			break
		}
	}
	if o.kept == nil {
		o.kept = make(map[string]kept)
	}
	o.kept[path] = k
}

func (o *keys) drop(path string) {
	if k, ok := o.kept[path]; ok {
		shut(k.fd)
		delete(o.kept, path)
	}
}

func (o *keys) dropAll() {
	for path := range o.kept {
		o.drop(path)
	}
}

// preadAll reads a whole value. Most keys give all they have in one call at the
// start and nothing at any other place, so a long value needs a large buffer.
func (o *keys) preadAll(fd int) (string, error) {
	for size := 256; ; size *= 16 {
		o.text = slices.Grow(o.text[:0], size)
		b := o.text[:size]
		n, err := unix.Pread(fd, b, 0)
		if err != nil {
			return "", err
		}
		if n < size || size >= machine.MaxFileSize {
			return strings.TrimSuffix(string(b[:n]), "\n"), nil
		}
	}
}
