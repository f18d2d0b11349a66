// Package record is an atomicfile.System that keeps a log of the calls it passes on
// and fails those it is told to fail.
//
// It owns nothing of the protocol. The log names inodes and holds what was written,
// so that every state which a crash may leave can be worked out from it: package
// record's Crashes does.
package record

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
)

// Call is one call and its result.
type Call struct {
	Op   string // the method of atomicfile.System
	Dir  bool   // the call is about the directory itself
	Name string // of a name in the directory
	To   string // the second name of Rename and Link
	Ino  uint64 // of the file that the call is about, 0 if unknown
	Data []byte // what Write was given and took
	Err  error
}

// System passes calls on to another System.
type System struct {
	Inner atomicfile.System
	// Fail is asked before every call, with its number from 0; an error is returned
	// in place of the call. Nil: none fails. It may panic, as a kill would.
	Fail func(n int, c Call) error
	// Calls is the log.
	Calls []Call

	inodes map[int]uint64 // of open descriptors
}

// run logs a call, and makes it unless it is to fail.
func (s *System) run(c Call, do func(c *Call) error) error {
	n := len(s.Calls)
	if s.Fail != nil {
		c.Err = s.Fail(n, c)
	}
	if c.Err == nil {
		c.Err = do(&c)
	}
	s.Calls = append(s.Calls, c)
	return c.Err
}

// Create implements atomicfile.System.
func (s *System) Create(dir int, name string) (fd int, err error) {
	err = s.run(Call{Op: "Create", Name: name}, func(c *Call) error {
		fd, err = s.Inner.Create(dir, name)
		c.Ino = s.opened(fd, err)
		return err
	})
	return fd, err
}

// Open implements atomicfile.System.
func (s *System) Open(dir int, name string) (fd int, err error) {
	err = s.run(Call{Op: "Open", Name: name}, func(c *Call) error {
		fd, err = s.Inner.Open(dir, name)
		c.Ino = s.opened(fd, err)
		return err
	})
	return fd, err
}

// opened remembers which inode a descriptor belongs to.
func (s *System) opened(fd int, err error) uint64 {
	if err != nil {
		return 0
	}
	if s.inodes == nil {
		s.inodes = make(map[int]uint64)
	}
	if st, err := s.Inner.Stat(fd, ""); err == nil {
		s.inodes[fd] = st.Ino
	}
	return s.inodes[fd]
}

// Stat implements atomicfile.System.
func (s *System) Stat(dir int, name string) (st atomicfile.Stat, err error) {
	err = s.run(Call{Op: "Stat", Name: name, Dir: name == ""}, func(c *Call) error {
		st, err = s.Inner.Stat(dir, name)
		c.Ino = st.Ino
		return err
	})
	return st, err
}

// Read implements atomicfile.System.
func (s *System) Read(fd int, b []byte) (n int, err error) {
	err = s.run(Call{Op: "Read", Ino: s.inodes[fd]}, func(*Call) error {
		n, err = s.Inner.Read(fd, b)
		return err
	})
	return n, err
}

// Write implements atomicfile.System.
func (s *System) Write(fd int, b []byte) (n int, err error) {
	err = s.run(Call{Op: "Write", Ino: s.inodes[fd]}, func(c *Call) error {
		n, err = s.Inner.Write(fd, b)
		c.Data = slices.Clone(b[:max(n, 0)])
		return err
	})
	return n, err
}

// Chown implements atomicfile.System.
func (s *System) Chown(fd, uid, gid int) error {
	return s.run(Call{Op: "Chown", Ino: s.inodes[fd]}, func(*Call) error { return s.Inner.Chown(fd, uid, gid) })
}

// Chmod implements atomicfile.System.
func (s *System) Chmod(fd int, mode uint32) error {
	return s.run(Call{Op: "Chmod", Ino: s.inodes[fd]}, func(*Call) error { return s.Inner.Chmod(fd, mode) })
}

// Fsync tells a file from the directory by whether it was opened through System.
func (s *System) Fsync(fd int) error {
	ino, file := s.inodes[fd]
	return s.run(Call{Op: "Fsync", Ino: ino, Dir: !file}, func(*Call) error { return s.Inner.Fsync(fd) })
}

// Close closes the descriptor even when it is to fail: so does the kernel.
func (s *System) Close(fd int) error {
	ino := s.inodes[fd]
	delete(s.inodes, fd)
	err := s.run(Call{Op: "Close", Ino: ino}, func(*Call) error { return s.Inner.Close(fd) })
	if err != nil {
		_ = s.Inner.Close(fd)
	}
	return err
}

// Rename implements atomicfile.System.
func (s *System) Rename(dir int, from, to string) error {
	return s.run(Call{Op: "Rename", Name: from, To: to}, func(*Call) error { return s.Inner.Rename(dir, from, to) })
}

// Link implements atomicfile.System.
func (s *System) Link(dir int, from, to string) error {
	return s.run(Call{Op: "Link", Name: from, To: to}, func(*Call) error { return s.Inner.Link(dir, from, to) })
}

// Unlink implements atomicfile.System.
func (s *System) Unlink(dir int, name string) error {
	return s.run(Call{Op: "Unlink", Name: name}, func(*Call) error { return s.Inner.Unlink(dir, name) })
}

// SetTime implements atomicfile.System.
func (s *System) SetTime(dir int, name string, t unix.Timespec) error {
	return s.run(Call{Op: "SetTime", Name: name}, func(*Call) error { return s.Inner.SetTime(dir, name, t) })
}

// Names implements atomicfile.System.
func (s *System) Names(dir int) (names []string, err error) {
	err = s.run(Call{Op: "Names", Dir: true}, func(*Call) error {
		names, err = s.Inner.Names(dir)
		return err
	})
	return names, err
}
