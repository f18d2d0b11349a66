package atomicfile_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

var errnos = []unix.Errno{
	unix.ENOSPC, unix.EROFS, unix.EIO, unix.EDQUOT, unix.EACCES, unix.EINTR, unix.EMFILE, unix.ENOMEM,
}

// attempt is one way to make a file, from the state that it starts in.
type attempt struct {
	name string
	old  string // "-": none
	make func(d atomicfile.Dir) error
}

var attempts = []attempt{
	{"create", "-", write},
	{"replace", "old", write},
	{"replace one as long", "OLD", write},
	{"volatile", "old", func(d atomicfile.Dir) error { return atomicfile.WriteVolatile(d, "f", []byte("new"), 0o600) }},
	{"exclusive", "-", exclusive},
}

func write(d atomicfile.Dir) error { return atomicfile.Write(d, "f", []byte("new"), 0o600) }

func exclusive(d atomicfile.Dir) error {
	_, err := atomicfile.CreateExclusive(d, "f", []byte("new"), 0o600)
	return err
}

// Each call of each attempt fails once, and then every call of its kind from there
// on, with every errno.
func TestAFailedCallLeavesTheOldContentAndNothingElse(t *testing.T) {
	cases := 0
	for _, a := range attempts {
		for n := range calls(t, a) {
			for _, errno := range errnos {
				for _, forever := range []bool{false, true} {
					cases++
					t.Run(fmt.Sprintf("%s/call %d/%v/forever %v", a.name, n, errno, forever), func(t *testing.T) {
						failCall(t, a, n, errno, forever)
					})
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// calls counts what an attempt does when nothing fails.
func calls(t *testing.T, a attempt) int {
	t.Helper()
	p := a.begin(t)
	must(t, a.make(p.dir))
	return len(p.log.Calls)
}

func (a attempt) begin(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	if a.old != "-" {
		p.put("f", a.old)
	}
	return p
}

func failCall(t *testing.T, a attempt, n int, errno unix.Errno, forever bool) {
	p := a.begin(t)
	before := descriptors(t)
	var op string
	p.log.Fail = func(i int, c record.Call) error {
		if i == n {
			op = c.Op
		}
		if i == n || forever && i > n && c.Op == op && !c.Dir {
			return errno
		}
		return nil
	}
	err := a.make(p.dir)
	p.outcome(a.old, op, err, errno)
	if after := descriptors(t); !slices.Equal(before, after) {
		t.Errorf("open before: %q, after: %q", before, after)
	}
	synced(t, p.log.Calls)
}

// outcome holds what is there against what the error says.
func (p *place) outcome(old, op string, err, errno error) {
	p.t.Helper()
	inPlace := err == nil || errors.Is(err, atomicfile.ErrNotDurable) || op == "Unlink"
	if inPlace {
		p.holds("f", "new")
	} else {
		p.holds("f", old)
		if !errors.Is(err, errno) {
			p.t.Errorf("error %v does not match %v", err, errno)
		}
	}
	if errors.Is(err, atomicfile.ErrStrayCopy) {
		strays := p.strays()
		if len(strays) != 1 || !contains(err, strays[0]) {
			p.t.Errorf("error %q, left behind %q", err, strays)
		}
		return
	}
	p.clean()
}

// synced fails if an inode was synced again after its fsync failed.
func synced(t *testing.T, calls []record.Call) {
	t.Helper()
	failed := make(map[uint64]bool)
	for _, c := range calls {
		if c.Op != "Fsync" || c.Dir {
			continue
		}
		if failed[c.Ino] {
			t.Error("an inode was synced again after its fsync had failed")
		}
		failed[c.Ino] = c.Err != nil
	}
}

// Whatever fails, a temporary file that cannot be removed either is named.
func TestATemporaryFileThatCannotBeRemovedIsNamed(t *testing.T) {
	for _, a := range attempts {
		for _, op := range []string{"Chown", "Chmod", "Write", "Close", "Rename", "Link", "SetTime"} {
			t.Run(a.name+"/"+op, func(t *testing.T) {
				p := a.begin(t)
				p.log.Fail = func(_ int, c record.Call) error {
					if c.Op == op && (c.Op != "Close" || len(p.strays()) > 0) || c.Op == "Unlink" {
						return unix.EIO
					}
					return nil
				}
				err := a.make(p.dir)
				if err == nil && len(p.strays()) == 0 {
					t.Skip("the attempt has no such call")
				}
				strays := p.strays()
				if !errors.Is(err, atomicfile.ErrStrayCopy) || len(strays) != 1 || !contains(err, strays[0]) {
					t.Errorf("error %v, left behind %q", err, strays)
				}
				p.log.Fail = nil
				swept, err := atomicfile.Sweep(p.dir, "f")
				if err != nil || !slices.Equal(swept, strays) {
					t.Errorf("swept %q, %v", swept, err)
				}
			})
		}
	}
}

// A kill at any call leaves the old file or the new one, and the next write makes the
// new one and sweeps nothing it should not.
func TestAKillAtAnyCallLeavesAWholeFile(t *testing.T) {
	for _, a := range attempts {
		for n := range calls(t, a) {
			t.Run(fmt.Sprintf("%s/call %d", a.name, n), func(t *testing.T) {
				p := a.begin(t)
				kill(p, a.make, func(i int, _ record.Call) bool { return i == n })
				if got, err := os.ReadFile(p.at("f")); err == nil && string(got) != a.old && string(got) != "new" {
					t.Errorf("left %q", got)
				}
				_, err := atomicfile.Sweep(p.dir, "f")
				must(t, err)
				p.clean()
				must(t, write(p.dir))
				p.holds("f", "new")
			})
		}
	}
}

// kill ends an attempt at the call that is told: nothing after it happens, and the
// kernel closes what was open.
func kill(p *place, attempt func(atomicfile.Dir) error, at func(n int, c record.Call) bool) {
	type killed struct{}
	before, dead := openFDs(p.t), false
	p.log.Fail = func(n int, c record.Call) error {
		if dead = dead || at(n, c); dead {
			panic(killed{})
		}
		return nil
	}
	defer func() {
		p.log.Fail = nil
		if r := recover(); r != nil && r != any(killed{}) {
			panic(r)
		}
		for fd := range openFDs(p.t) {
			if !before[fd] {
				_ = unix.Close(fd)
			}
		}
	}()
	_ = attempt(p.dir)
}
