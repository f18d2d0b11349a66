package faults

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/test/faults/disk"
)

// failingPower is the kernel on a disk whose power is cut before one of the calls.
type failingPower struct {
	atomicfile.System
	disk  *disk.Disk
	kind  disk.Kind
	at    int // number of the call, counted from 0; one past the last: after the write
	flush int // number of the call before which somebody else syncs another file
	made  int
	cut   bool
	err   error // of the cut itself
}

// step comes before every call.
func (s *failingPower) step() {
	if s.made == s.flush && !s.cut && s.at >= 0 {
		s.err = errors.Join(s.err, bystander())
	}
	if s.made == s.at {
		s.end()
	}
	s.made++
}

// end cuts the power, if it is still on.
func (s *failingPower) end() {
	if !s.cut {
		s.cut = true
		s.err = errors.Join(s.err, s.disk.Cut(s.kind))
	}
}

// bystander writes and syncs a file of somebody else's on the same disk, with which the
// kernel writes its journal.
func bystander() error {
	f, err := os.OpenFile(diskFolder+"/bystander", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Sync(), f.Close())
}

func (s *failingPower) Create(dir int, name string) (int, error) {
	s.step()
	return s.System.Create(dir, name)
}

func (s *failingPower) Write(fd int, b []byte) (int, error) { s.step(); return s.System.Write(fd, b) }
func (s *failingPower) Chown(fd, uid, gid int) error        { s.step(); return s.System.Chown(fd, uid, gid) }
func (s *failingPower) Chmod(fd int, mode uint32) error     { s.step(); return s.System.Chmod(fd, mode) }
func (s *failingPower) Fsync(fd int) error                  { s.step(); return s.System.Fsync(fd) }
func (s *failingPower) Close(fd int) error                  { s.step(); return s.System.Close(fd) }
func (s *failingPower) Unlink(dir int, name string) error {
	s.step()
	return s.System.Unlink(dir, name)
}

func (s *failingPower) Rename(dir int, from, to string) error {
	s.step()
	return s.System.Rename(dir, from, to)
}

func (s *failingPower) Link(dir int, from, to string) error {
	s.step()
	return s.System.Link(dir, from, to)
}

func (s *failingPower) SetTime(dir int, name string, t unix.Timespec) error {
	s.step()
	return s.System.SetTime(dir, name, t)
}
