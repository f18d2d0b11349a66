package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"
)

// suffix ends the name of every temporary file. No reader of a drop-in directory
// takes it for its own.
const suffix = ".hostprofile~"

// randomDigits is how many hexadecimal digits make a temporary name unique.
const randomDigits = 16

// IsTemp reports whether name is a temporary name that a write of base uses.
func IsTemp(base, name string) bool {
	middle, ok := strings.CutPrefix(name, "."+base+".")
	if !ok {
		return false
	}
	digits, ok := strings.CutSuffix(middle, suffix)
	return ok && len(digits) == randomDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// TempName returns a temporary name for base with the given digits.
func TempName(base, digits string) string { return "." + base + "." + digits + suffix }

// temp is a file that has no final name yet.
type temp struct {
	dir  Dir
	name string // the final one
	at   string // the temporary one
	fd   int    // -1 once closed
}

// create makes an empty temporary file for name.
func (d Dir) create(name string) (*temp, error) {
	for tries := 0; ; tries++ {
		var b [randomDigits / 2]byte
		rand.Read(b[:])
		t := &temp{dir: d, name: name, at: TempName(name, hex.EncodeToString(b[:]))}
		err := again(func() (err error) { t.fd, err = d.system().Create(d.FD, t.at); return err })
		if err == nil {
			return t, nil
		}
		if !errors.Is(err, unix.EEXIST) || tries == 3 {
			return nil, d.failed("create", t.at, err)
		}
	}
}

// fill gives the file all that it must have before it gets its name. The mark says
// that the name may not be durable; without sync there is no mark.
func (t *temp) fill(content []byte, mode uint32, sync bool) error {
	sys := t.dir.system()
	steps := []struct {
		op string
		do func() error
	}{
		{"label", t.label},
		{"chown", func() error { return again(func() error { return sys.Chown(t.fd, unix.Geteuid(), unix.Getegid()) }) }},
		{"chmod", func() error { return again(func() error { return sys.Chmod(t.fd, mode) }) }},
		{"write", func() error { return t.write(content) }},
		{"mark", func() error { return t.mark(sync) }},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			return t.dir.failed(step.op, t.at, err)
		}
	}
	return t.finish(sync)
}

// finish syncs and closes. Neither is ever tried twice: after a failed fsync the
// kernel drops the dirty pages and calls the next one a success, and after a failed
// close the descriptor is gone.
func (t *temp) finish(sync bool) error {
	if sync {
		if err := t.dir.system().Fsync(t.fd); err != nil {
			return t.dir.failed("fsync", t.at, err)
		}
	}
	fd := t.fd
	t.fd = -1
	if err := t.dir.system().Close(fd); err != nil {
		return t.dir.failed("close", t.at, err)
	}
	return nil
}

func (t *temp) label() error {
	if t.dir.Label == nil {
		return nil
	}
	return t.dir.Label(t.fd, t.dir.join(t.name))
}

// write writes all of content. A file that takes nothing is full.
func (t *temp) write(content []byte) error {
	for len(content) > 0 {
		n := 0
		err := again(func() (err error) { n, err = t.dir.system().Write(t.fd, content); return err })
		if err != nil {
			return err
		}
		if n <= 0 {
			return unix.ENOSPC
		}
		content = content[n:]
	}
	return nil
}

func (t *temp) mark(sync bool) error {
	if !sync {
		return nil
	}
	return again(func() error { return t.dir.system().SetTime(t.dir.FD, t.at, notDurable) })
}

// discard removes the temporary file after cause, and returns cause.
func (t *temp) discard(cause error) error {
	if t.fd >= 0 {
		_ = t.dir.system().Close(t.fd)
		t.fd = -1
	}
	if err := t.unlink(); err != nil {
		return fmt.Errorf("%w; %w", cause, err)
	}
	return cause
}

func (t *temp) unlink() error {
	err := again(func() error { return t.dir.system().Unlink(t.dir.FD, t.at) })
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrStrayCopy, t.dir.join(t.at), err)
}
