package faults

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	diskFolder = "/run/disk"
	diskFile   = "f"
	// fragile mounts ext4 without what it does to spare careless programs, and lets
	// nothing reach the disk by itself.
	fragile = "noauto_da_alloc,commit=1000"
)

// write is one way to change a file, with what is there before and after; "-" is no file.
type write struct {
	name     string
	old, new string
	do       func(d atomicfile.Dir, content string) error
}

var writes = []write{
	{"first create", "-", text("new", 900), replace},
	{"replace by more", text("old", 900), text("new", 9000), replace},
	{"replace by less", text("old", 9000), text("new", 90), replace},
	{"create exclusively", "-", text("new", 900), func(d atomicfile.Dir, content string) error {
		_, err := atomicfile.CreateExclusive(d, diskFile, []byte(content), 0o644)
		return err
	}},
	{"remove", text("old", 900), "-", func(d atomicfile.Dir, _ string) error { return atomicfile.Remove(d, diskFile) }},
}

func replace(d atomicfile.Dir, content string) error {
	return atomicfile.Write(d, diskFile, []byte(content), 0o644)
}

func text(word string, size int) string { return strings.Repeat(word+"\n", size/(len(word)+1)) }

// TestPowerCutsLoseNothing: whenever the power is cut, a file is the old one or the new
// one and whole, and once the write has said that it is done, the new one.
func TestPowerCutsLoseNothing(t *testing.T) {
	count := 500
	if long {
		count = 10000
	}
	cuts, lost := cutPower(t, count, func(s atomicfile.System) atomicfile.System { return s })
	if cuts == 0 {
		return
	}
	tell(t, "power cuts: %d, %d lost", cuts, len(lost))
	if len(lost) > 0 {
		t.Errorf("%q", lost[:min(len(lost), 10)])
	}
}

// TestPowerCutsFindWhatAWriterWithoutFsyncLoses shows that the test above can fail.
func TestPowerCutsFindWhatAWriterWithoutFsyncLoses(t *testing.T) {
	for name, without := range map[string]func(atomicfile.System) atomicfile.System{
		"no fsync of the file":      func(s atomicfile.System) atomicfile.System { return forgetful{System: s, file: true} },
		"no fsync of the directory": func(s atomicfile.System) atomicfile.System { return forgetful{System: s, dir: true} },
	} {
		t.Run(name, func(t *testing.T) {
			cuts, lost := cutPower(t, 100, without)
			if cuts == 0 {
				return
			}
			tell(t, "power cuts of a writer with %s: %d, %d lost", name, cuts, len(lost))
			if len(lost) == 0 {
				t.Error("nothing was lost")
			}
		})
	}
}

// forgetful leaves out an fsync.
type forgetful struct {
	atomicfile.System
	file, dir bool
}

func (f forgetful) Fsync(fd int) error {
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return err
	}
	if isDir := s.Mode&unix.S_IFMT == unix.S_IFDIR; isDir && f.dir || !isDir && f.file {
		return nil
	}
	return f.System.Fsync(fd)
}

// cutPower plays cuts in a sandbox, and returns how many and what was lost; no cuts
// outside of it. The writer's calls go through what wrap makes of them.
func cutPower(t *testing.T, count int, wrap func(atomicfile.System) atomicfile.System) (cuts int, lost []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("mounts disks: not with -short")
	}
	must(t, disk.NoteOutside())
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return 0, nil
	}
	must(t, disk.Missing())
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	c := &cutting{t: t, wrap: wrap, random: rand.New(rand.NewPCG(seed, 0))}
	for _, options := range []string{"", fragile} {
		d, err := disk.New("/run", diskFolder, options)
		must(t, err)
		must(t, d.Mount())
		c.disk = d
		for i := range count / 2 {
			if what := c.cut(i); what != "" {
				lost = append(lost, fmt.Sprintf("options %q: %s", options, what))
			}
			cuts++
		}
		must(t, d.Unmount())
	}
	return cuts, lost
}

// cutting plays one write after the other, in each of which the power is cut.
type cutting struct {
	t      *testing.T
	disk   *disk.Disk
	wrap   func(atomicfile.System) atomicfile.System
	random *rand.Rand
	calls  map[string]int // how many a whole write makes, by its name
}

// cut plays one write and says what was lost. The moments of the cuts go round all calls
// of all writes, and the one after the last.
func (c *cutting) cut(i int) string {
	c.t.Helper()
	w := writes[i%len(writes)]
	c.prepare(w)
	all := c.whole(w)
	round := i / len(writes)
	s := &failingPower{System: atomicfile.Kernel{}, disk: c.disk, at: round % (all + 1), kind: disk.Nothing}
	if round/(all+1)%2 == 1 {
		s.kind = disk.Journal
	}
	s.flush = c.random.IntN(2*all + 1) // somebody else's fsync, in half of all cases
	dir, err := atomicfile.OpenDir(diskFolder)
	must(c.t, err)
	dir.System = c.wrap(s)
	err = w.do(dir, w.new)
	s.end()
	must(c.t, errors.Join(s.err, dir.Close(), c.disk.Unmount(), c.disk.Mount()))
	return c.judge(w, s, err == nil && s.at >= all)
}

// judge looks at what the disk has kept.
func (c *cutting) judge(w write, s *failingPower, done bool) string {
	got := "-"
	if content, err := os.ReadFile(diskFolder + "/" + diskFile); err == nil {
		got = string(content)
	}
	if got == w.new || got == w.old && !done {
		return ""
	}
	return fmt.Sprintf("%s, cut of kind %d at call %d, told as done %v: left %d bytes %.20q", w.name, s.kind, s.at, done, len(got), got)
}

// prepare makes what is there before a write, durably.
func (c *cutting) prepare(w write) {
	c.t.Helper()
	must(c.t, os.RemoveAll(diskFolder+"/"+diskFile))
	if w.old != "-" {
		must(c.t, os.WriteFile(diskFolder+"/"+diskFile, []byte(w.old), 0o644))
	}
	must(c.t, c.disk.Sync())
}

// whole returns how many calls a write makes that is not cut off. The file is as before.
func (c *cutting) whole(w write) int {
	c.t.Helper()
	if n, known := c.calls[w.name]; known {
		return n
	}
	s := &failingPower{System: atomicfile.Kernel{}, disk: c.disk, at: -1}
	dir, err := atomicfile.OpenDir(diskFolder)
	must(c.t, err)
	dir.System = s
	must(c.t, errors.Join(w.do(dir, w.new), dir.Close()))
	if c.calls == nil {
		c.calls = map[string]int{}
	}
	c.calls[w.name] = s.made
	c.prepare(w)
	return s.made
}
