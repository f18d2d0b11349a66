package atomicfile_test

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

// The directory's fsync fails: the content is in place, and the next write of the
// same content must not be skipped, whichever process makes it.
func TestANameThatIsNotDurableIsWrittenAgain(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	p.log.Fail = func(_ int, c record.Call) error {
		if c.Op == "Fsync" && c.Dir {
			return unix.EIO
		}
		return nil
	}
	err := write(p.dir)
	if !errors.Is(err, atomicfile.ErrNotDurable) || !errors.Is(err, unix.EIO) {
		t.Fatalf("error %v", err)
	}
	p.holds("f", "new")
	p.clean()
	p.log.Fail, p.log.Calls = nil, nil
	must(t, write(p.dir))
	if !slices.Contains(p.ops(), "Rename") {
		t.Error("the next write was skipped")
	}
	p.log.Calls = nil
	must(t, write(p.dir))
	if slices.Contains(p.ops(), "Rename") {
		t.Error("the write after that was not")
	}
}

// A process that is killed after the rename leaves a name that may be lost.
func TestANameIsWrittenAgainAfterAKillBeforeItWasDurable(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	kill(p, write, func(_ int, c record.Call) bool { return c.Op == "Fsync" && c.Dir })
	p.holds("f", "new")
	p.log.Calls = nil
	must(t, write(p.dir))
	if !slices.Contains(p.ops(), "Rename") {
		t.Error("the write was skipped")
	}
}

func TestADurableFileHasAnOrdinaryTime(t *testing.T) {
	p := newPlace(t)
	must(t, write(p.dir))
	info, err := os.Stat(p.at("f"))
	must(t, err)
	if d := time.Since(info.ModTime()); d < -time.Minute || d > time.Minute {
		t.Errorf("modified %v", info.ModTime())
	}
}
