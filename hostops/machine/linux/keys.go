package linux

import (
	"bytes"
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
	near folders // nil where few keys are opened
	text []byte  // of the value that is read or written, at hand for the next one
}

// kept is an open key.
type kept struct {
	fd    int
	write bool // open for writing
	read  bool // open for reading
}

// read returns a key's value without its last newline.
func (s *keys) read(path string) (string, error) {
	var value string
	err := s.do(path, false, func(fd int) (err error) {
		value, err = s.preadAll(fd)
		return err
	})
	return value, err
}

// write writes a value and a newline with one call at the file's start: the kernel
// takes every call as a whole value, and ignores one that does not start there.
func (s *keys) write(path, value string) error {
	if len(value) > machine.MaxSysctl {
		return fmt.Errorf("value of %d bytes, the kernel takes %d: %w", len(value), machine.MaxSysctl, machine.ErrInvalid)
	}
	return s.do(path, true, func(fd int) error {
		s.text = append(append(s.text[:0], value...), '\n')
		n, err := unix.Pwrite(fd, s.text, 0)
		if err == nil && n < len(s.text)-1 {
			return fmt.Errorf("the kernel took %d of %d bytes: %w", n, len(s.text), machine.ErrInvalid)
		}
		return err
	})
}

// ahead opens a key that is not open yet, if it can.
func (s *keys) ahead(path string) {
	if _, ok := s.kept[path]; ok {
		return
	}
	if k, err := s.open(path, false); err == nil {
		s.keep(path, k)
	}
}

// do runs a call on a key's kept file, opened anew if its key is gone: the kernel
// answers ENOENT then, whatever has its name now.
func (s *keys) do(path string, write bool, call func(fd int) error) error {
	k, ok := s.kept[path]
	if ok && (write && k.write || !write && k.read) {
		if err := call(k.fd); !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	s.drop(path)
	k, err := s.open(path, write)
	if err != nil {
		return err
	}
	s.keep(path, k)
	if err = call(k.fd); errors.Is(err, unix.ENOENT) {
		return s.missing(path)
	}
	return err
}

// missing tells a key that vanished from a value that names something missing: the
// kernel says ENOENT for a congestion control that it does not have.
func (s *keys) missing(path string) error {
	if gone := unix.Faccessat(s.dir, path, unix.F_OK, 0); gone != nil {
		return gone
	}
	return fmt.Errorf("the value names something that is not there: %w", machine.ErrInvalid)
}

// open opens a key for both ways, or for the one asked for, and proves that it is the
// kernel's.
func (s *keys) open(path string, write bool) (kept, error) {
	if !fs.ValidPath(path) || path == "." || strings.ContainsRune(path, 0) {
		return kept{}, fmt.Errorf("not a path below /proc/sys: %w", fs.ErrInvalid)
	}
	k, err := s.openAt(path, write)
	if errors.Is(err, unix.EMFILE) && len(s.kept) > 0 {
		s.dropAll()
		k, err = s.openAt(path, write)
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

func (s *keys) openAt(path string, write bool) (kept, error) {
	dir, rest := s.near.above(s.dir, path)
	k, err := openKey(dir, rest, write)
	if errors.Is(err, unix.ENOENT) && dir != s.dir {
		s.near.forget(path) // the folder may be gone, and another have its name
		k, err = openKey(s.dir, path, write)
	}
	return k, err
}

func openKey(dir int, path string, write bool) (kept, error) {
	const flags = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	fd, err := unix.Openat(dir, path, flags|unix.O_RDWR, 0)
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
	fd, err = unix.Openat(dir, path, flags|one, 0)
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

func (s *keys) keep(path string, k kept) {
	if len(s.kept) >= s.max {
		for other := range s.kept {
			s.drop(other)
			break
		}
	}
	if s.kept == nil {
		s.kept = make(map[string]kept)
	}
	s.kept[path] = k
}

func (s *keys) drop(path string) {
	if k, ok := s.kept[path]; ok {
		shut(k.fd)
		delete(s.kept, path)
	}
}

func (s *keys) dropAll() {
	for path := range s.kept {
		s.drop(path)
	}
}

var newline = []byte("\n")

// preadAll reads a whole value. Most keys give all they have in one call at the
// start and nothing at any other place, so a long value needs a large buffer.
func (s *keys) preadAll(fd int) (string, error) {
	for size := 256; ; size *= 16 {
		s.text = slices.Grow(s.text[:0], size)
		b := s.text[:size]
		n, err := unix.Pread(fd, b, 0)
		if err != nil {
			return "", err
		}
		if n < size || size >= machine.MaxFileSize {
			return string(bytes.TrimSuffix(b[:n], newline)), nil
		}
	}
}
