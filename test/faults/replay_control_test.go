package faults

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestBlockReplayFindsWhatADiskThatLiesLoses shows that TestBlockReplay can fail, and that
// it is the flushes that all of it hangs on: on a disk for which they do not count, what a
// run had done that had ended well is lost.
func TestBlockReplayFindsWhatADiskThatLiesLoses(t *testing.T) {
	r := inReplay(t)
	if r == nil {
		return
	}
	r.play(fragile, applyA)
	from, end := r.marks[0].entries, r.marks[1].entries
	r.log.Entries = r.log.Entries[:end]
	var whole snapshot.Snapshot
	visit(r.log.Prefixes(end), fragile, func(r reading) {
		must(t, r.err)
		whole = withoutRecord(r.on)
	})
	disks, lost := 0, 0
	visit(r.log.WithoutFlushes(from).Reorderings(from, 50, rand.New(rand.NewPCG(1, 1))), fragile, func(r reading) {
		disks++
		if r.err != nil || len(snapshot.Diff(whole, withoutRecord(r.on))) > 0 {
			lost++
		}
	})
	tell(t, "block replay of a disk that lies: %d disks, %d have lost what a run had done", disks, lost)
	if lost == 0 {
		t.Error("nothing was lost")
	}
}

// withoutRecord leaves out the record, whose last word may be lost.
func withoutRecord(on snapshot.Snapshot) snapshot.Snapshot {
	maps.DeleteFunc(on, func(name, _ string) bool { return strings.Contains(name, "ledger.json") })
	return on
}

// TestBlockReplayFindsWhatAWriterWithoutFsyncLoses shows the same of writers.
func TestBlockReplayFindsWhatAWriterWithoutFsyncLoses(t *testing.T) {
	for _, w := range []struct {
		name  string
		wrap  func(atomicfile.System) atomicfile.System
		loses bool
	}{
		{"no fsync of the file", func(s atomicfile.System) atomicfile.System { return forgetful{System: s, file: true} }, true},
		{"no fsync of the directory", func(s atomicfile.System) atomicfile.System { return forgetful{System: s, dir: true} }, true},
		{"every fsync", func(s atomicfile.System) atomicfile.System { return s }, false},
	} {
		t.Run(w.name, func(t *testing.T) {
			c := inControl(t)
			if c == nil {
				return
			}
			c.write(w.wrap)
			disks, lost := c.count()
			tell(t, "block replay of a writer with %s: %d disks, %d files lost", w.name, disks, lost)
			if w.loses != (lost > 0) {
				t.Errorf("%d files are lost", lost)
			}
		})
	}
}

// control is a disk to which files are written, one after the other.
type control struct {
	t       *testing.T
	log     *replay.Log
	written []int // entries of the log when the write of each file had returned
}

// inControl prepares a sandbox, and returns nil outside of it.
func inControl(t *testing.T) *control {
	t.Helper()
	if testing.Short() {
		t.Skip("mounts disks: not with -short")
	}
	must(t, disk.NoteOutside())
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return nil
	}
	must(t, replay.Missing())
	return &control{t: t}
}

const controlContent = "new\n"

// write writes ten files on a disk that is recorded, and syncs a file of somebody else's
// after each.
func (c *control) write(wrap func(atomicfile.System) atomicfile.System) {
	c.t.Helper()
	recorder, err := replay.Start(ownFolder)
	must(c.t, err)
	d, err := disk.Over(recorder.Image(), diskFolder, fragile)
	must(c.t, err)
	must(c.t, errors.Join(d.Mount(), d.Sync()))
	dir, err := atomicfile.OpenDir(diskFolder)
	must(c.t, err)
	dir.System = wrap(atomicfile.Kernel{})
	for n := range 10 {
		must(c.t, atomicfile.Write(dir, fmt.Sprint(n), []byte(controlContent), 0o644))
		at, err := recorder.Entries()
		must(c.t, err)
		c.written = append(c.written, at)
		must(c.t, bystander())
	}
	must(c.t, errors.Join(dir.Close(), d.Unmount()))
	c.log, err = recorder.Stop()
	must(c.t, err)
}

// count reads all disks that a power cut may leave after a write had returned, and returns
// how many there are, and how many files are missing on them or not whole.
func (c *control) count() (disks, lost int) {
	c.t.Helper()
	content := fmt.Sprintf("%x", sha256.Sum256([]byte(controlContent)))
	look := func(r reading) {
		must(c.t, r.err)
		disks++
		for n, at := range c.written {
			if at <= r.state.At && !strings.HasSuffix(r.on[fmt.Sprintf("/%d", n)], content) {
				lost++
			}
		}
	}
	visit(c.log.Prefixes(c.written[0]), fragile, look)
	visit(c.log.Reorderings(c.written[0], 2, rand.New(rand.NewPCG(1, 1))), fragile, look)
	return disks, lost
}
