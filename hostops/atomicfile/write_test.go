package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

func contains(err error, s string) bool { return err != nil && strings.Contains(err.Error(), s) }

func openFDs(t *testing.T) map[int]bool {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	open := make(map[int]bool)
	for _, e := range entries {
		fd, _ := strconv.Atoi(e.Name())
		if _, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			open[fd] = true
		}
	}
	return open
}

func TestTheOrderOfADurableWrite(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	must(t, atomicfile.Write(p.dir, "f", []byte("new and longer"), 0o600))
	want := []string{
		"Stat", "Stat directory", "Create", "Chown", "Chmod", "Write", "SetTime", "Fsync", "Close", "Rename",
		"Fsync directory", "SetTime",
	}
	if got := p.ops(); !slices.Equal(got, want) {
		t.Errorf("calls:\n got %q\nwant %q", got, want)
	}
}

func TestAVolatileWriteSyncsNothing(t *testing.T) {
	p := newPlace(t)
	must(t, atomicfile.WriteVolatile(p.dir, "f", []byte("new"), 0o600))
	want := []string{"Stat", "Create", "Chown", "Chmod", "Write", "Close", "Rename"}
	if got := p.ops(); !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
	p.holds("f", "new")
}

func TestAFileThatIsRightIsNotWritten(t *testing.T) {
	p := newPlace(t)
	must(t, write(p.dir))
	p.log.Calls = nil
	must(t, write(p.dir))
	for _, op := range p.ops() {
		if !slices.Contains([]string{"Stat", "Stat directory", "Open", "Read", "Close"}, op) {
			t.Errorf("the second write made a call %s", op)
		}
	}
}

func TestADifferenceIsWritten(t *testing.T) {
	for name, differ := range map[string]func(p *place) error{
		"content": func(p *place) error { return os.WriteFile(p.at("f"), []byte("NEW"), 0o600) },
		"length":  func(p *place) error { return os.Truncate(p.at("f"), 2) },
		"mode":    func(p *place) error { return os.Chmod(p.at("f"), 0o644) },
		"setuid":  func(p *place) error { return unix.Chmod(p.at("f"), 0o4600) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			must(t, write(p.dir))
			must(t, differ(p))
			must(t, write(p.dir))
			p.holds("f", "new")
			if info, err := os.Stat(p.at("f")); err != nil || info.Mode() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

// What is there is compared in parts.
func TestALongFileIsWrittenIfAnyPartDiffers(t *testing.T) {
	content := []byte(strings.Repeat("0123456789", 3000))
	for name, differs := range map[string]int{"nowhere": -1, "in its first byte": 0, "in its last byte": len(content) - 1} {
		p := newPlace(t)
		there := slices.Clone(content)
		if differs >= 0 {
			there[differs] = 'x'
		}
		must(t, atomicfile.Write(p.dir, "f", there, 0o600))
		p.log.Calls = nil
		must(t, atomicfile.Write(p.dir, "f", content, 0o600))
		if written := slices.Contains(p.ops(), "Rename"); written != (differs >= 0) {
			t.Errorf("a file that differs %s is written: %t", name, written)
		}
		p.holds("f", string(content))
	}
}

func TestAnotherOwnerIsWritten(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	p := newPlace(t)
	must(t, write(p.dir))
	must(t, os.Chown(p.at("f"), 7, 7))
	must(t, write(p.dir))
	var s unix.Stat_t
	must(t, unix.Stat(p.at("f"), &s))
	if s.Uid != 0 || s.Gid != 0 {
		t.Errorf("belongs to %d:%d", s.Uid, s.Gid)
	}
}

// A close may be where a file system says that it could not keep the content. The
// descriptor is gone all the same: a second close could hit somebody else's.
func TestACloseThatFailsCountsAndIsNotRepeated(t *testing.T) {
	for _, errno := range []unix.Errno{unix.EIO, unix.ENOSPC, unix.EDQUOT, unix.EINTR} {
		p := newPlace(t)
		p.put("f", "old and longer")
		closed := 0
		p.log.Fail = func(_ int, c record.Call) error {
			if c.Op != "Close" {
				return nil
			}
			closed++
			return errno
		}
		if err := write(p.dir); !errors.Is(err, errno) {
			t.Errorf("error %v, want %v", err, errno)
		}
		if closed != 1 {
			t.Errorf("closed %d times", closed)
		}
		p.holds("f", "old and longer")
		p.clean()
	}
}

func TestATemporaryNameIsNeverTakenOver(t *testing.T) {
	p := newPlace(t)
	p.put("file", "theirs")
	must(t, os.Symlink("elsewhere", p.at("link")))
	for _, name := range []string{"file", "link"} {
		if _, err := (atomicfile.Kernel{}).Create(p.dir.FD, name); !errors.Is(err, fs.ErrExist) {
			t.Errorf("create %s: %v", name, err)
		}
	}
	p.holds("file", "theirs")
	p.holds("elsewhere", "-")
}

func TestATakenTemporaryNameIsReplacedByAnother(t *testing.T) {
	p := newPlace(t)
	taken := 0
	p.log.Fail = func(_ int, c record.Call) error {
		if c.Op == "Create" && taken < 2 {
			taken++
			return unix.EEXIST
		}
		return nil
	}
	must(t, write(p.dir))
	p.holds("f", "new")
}

func TestShortWritesAreContinued(t *testing.T) {
	p := newPlace(t)
	p.dir.System = slow{p.log}
	content := []byte(strings.Repeat("0123456789", 100))
	must(t, atomicfile.Write(p.dir, "f", content, 0o600))
	p.holds("f", string(content))
	must(t, atomicfile.Write(p.dir, "f", content, 0o600))
}

// slow takes and gives one byte at a time, and is interrupted before each.
type slow struct{ *record.System }

func (s slow) Write(fd int, b []byte) (int, error) {
	if len(b)%2 == 1 && len(s.Calls)%2 == 0 {
		_, _ = s.Stat(fd, "")
		return -1, unix.EINTR
	}
	return s.System.Write(fd, b[:min(len(b), 1)])
}

func (s slow) Read(fd int, b []byte) (int, error) { return s.System.Read(fd, b[:min(len(b), 1)]) }

func TestAFileThatTakesNothingIsFull(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	p.dir.System = full{p.log}
	if err := write(p.dir); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("error %v", err)
	}
	p.holds("f", "old")
	p.clean()
}

type full struct{ *record.System }

func (full) Write(int, []byte) (int, error) { return 0, nil }

func TestANameMustBeOneElement(t *testing.T) {
	p := newPlace(t)
	for _, name := range []string{"", ".", "..", "a/b", "/f", "a\x00b"} {
		if err := atomicfile.Write(p.dir, name, nil, 0o600); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("write %q: %v", name, err)
		}
		if _, err := atomicfile.CreateExclusive(p.dir, name, nil, 0o600); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("create %q: %v", name, err)
		}
		if err := atomicfile.Remove(p.dir, name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("remove %q: %v", name, err)
		}
	}
}

// The label is the one of the final name, and is there before owner and content are.
func TestTheLabelComesFirstAndIsOfTheFinalName(t *testing.T) {
	p := newPlace(t)
	var labelled string
	p.dir.Label = func(fd int, path string) error {
		labelled = path
		p.log.Calls = append(p.log.Calls, record.Call{Op: "Label"})
		return nil
	}
	must(t, write(p.dir))
	ops := p.ops()
	if i := slices.Index(ops, "Label"); ops[i-1] != "Create" || ops[i+1] != "Chown" {
		t.Errorf("calls %q", ops)
	}
	if labelled != p.at("f") {
		t.Errorf("label of %s", labelled)
	}
}

func TestALabelThatFailsLeavesTheOldFile(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	p.dir.Label = func(int, string) error { return unix.EOPNOTSUPP }
	if err := write(p.dir); !errors.Is(err, unix.EOPNOTSUPP) {
		t.Errorf("error %v", err)
	}
	p.holds("f", "old")
	p.clean()
}

// Whoever reads while the file is replaced finds one whole content.
func TestAReaderNeverSeesAPart(t *testing.T) {
	p := newPlace(t)
	contents := []string{strings.Repeat("a", 70000), strings.Repeat("b", 30000)}
	p.put("f", contents[0])
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				got, err := os.ReadFile(p.at("f"))
				if err != nil || !slices.Contains(contents, string(got)) {
					t.Errorf("read %d bytes, %v", len(got), err)
					return
				}
			}
		})
	}
	dir := p.dir
	dir.System = nil
	for i := range 300 {
		must(t, atomicfile.WriteVolatile(dir, "f", []byte(contents[i&1]), 0o644))
	}
	close(stop)
	readers.Wait()
}
