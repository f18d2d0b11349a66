package faults

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/trace"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// outage is a story on a host whose /etc and /var/lib are disks of their own.
type outage struct {
	failing
	disks []*disk.Disk
}

// inOutage runs a test in a sandbox with two disks, and returns nil outside of it. The
// calling goroutine keeps its thread, whose network is the host's: a reboot makes it anew.
func inOutage(t *testing.T) *outage {
	t.Helper()
	must(t, disk.NoteOutside())
	w := inWorld(t)
	if w == nil {
		return nil
	}
	must(t, disk.Missing())
	runtime.LockOSThread()
	w.looker.withoutMounts = true
	o := &outage{failing: failing{killing: killing{world: w}}}
	for _, dir := range []string{"/etc", "/var/lib"} {
		d, err := disk.New(ownFolder, dir, fragile)
		must(t, err)
		must(t, d.Mount())
		must(t, os.Remove(dir+"/lost+found"))
		o.disks = append(o.disks, d)
	}
	w.furnish()
	return o
}

// reboot ends what a power cut ends, and starts the host again.
func (o *outage) reboot() {
	o.t.Helper()
	o.unmount()
	for _, d := range o.disks {
		must(o.t, errors.Join(d.Unmount(), d.Mount()))
	}
	must(o.t, os.RemoveAll("/run/hostprofile"))
	must(o.t, unix.Unshare(unix.CLONE_NEWNET))
	o.network()
}

// sync makes durable what is there.
func (o *outage) sync() {
	o.t.Helper()
	for _, d := range o.disks {
		must(o.t, d.Sync())
	}
}

// cut cuts the power of all disks.
func (o *outage) cut() (err error) {
	for _, d := range o.disks {
		err = errors.Join(err, d.Cut(disk.Nothing))
	}
	return err
}

// TestPowerCutsOfTheProgram: whenever the power is cut in a run, each file is the old one
// or the new one, the next run brings all that is wished, and undoing all that was. What a
// run has done that ended well, no power cut takes back, also if a killed run had begun it.
func TestPowerCutsOfTheProgram(t *testing.T) {
	o := inOutage(t)
	if o == nil {
		return
	}
	cuts, late := 0, 0
	for i, s := range stories {
		o.story = s
		o.begin(o.world)
		o.sync()
		o.recordInBoot()
		for n := i; n < len(o.calls); n += stride() {
			o.cutAt(n)
			cuts++
			if o.makesDurable(n) {
				o.cutAfterRecovery(n)
				late++
			}
		}
		o.clear()
		o.sync()
	}
	tell(t, "power cuts of the program: %d in a run, %d after a killed run was run again; all recovered, 0 files lost", cuts, late)
}

// stride is how far the cuts of the short form are apart.
func stride() int {
	if long {
		return 1
	}
	return 4
}

// recordInBoot is record in a boot like those that follow a cut.
func (o *outage) recordInBoot() {
	o.t.Helper()
	o.reboot()
	o.begin(o.world)
	o.record()
	o.sync()
}

// undone undoes the run, durably.
func (o *outage) undone(when string) {
	o.t.Helper()
	o.back(when + " the same run and its undoing,")
	o.sync()
	if o.t.Failed() {
		o.t.FailNow()
	}
}

// cutAt cuts the power before the n-th call of the run.
func (o *outage) cutAt(n int) {
	o.t.Helper()
	when := fmt.Sprintf("after a power cut at call %d, %s,", n, o.calls[n])
	r := o.traced(func(at int, _ trace.Call) trace.Verdict {
		if at != n {
			return trace.Verdict{}
		}
		must(o.t, o.cut())
		return trace.Verdict{Kill: true}
	}, o.do...)
	if !r.Killed() {
		o.t.Fatalf("%s the run ended with %d: %s", when, r.ExitCode, r.Output)
	}
	o.reboot()
	now := o.look()
	for name := range now {
		o.whole(now, name, when)
	}
	o.bootstrap(o.do...)
	o.mustBe(o.after, when+" and the same run,")
	o.changesNothing(when+" and the same run,", o.do...)
	o.undone(when)
}

// kept are the names of what a disk keeps.
var kept = regexp.MustCompile(`^(file|content) (/etc|/var/lib)/`)

// makesDurable reports whether a kill before the n-th call leaves a new name that nobody
// has made durable yet.
func (o *outage) makesDurable(n int) bool {
	c := o.recorded[n]
	return c.Name == "fsync" && !c.Temporary()
}

// cutAfterRecovery kills the run, runs it again and cuts the power once that has ended well.
func (o *outage) cutAfterRecovery(n int) {
	o.t.Helper()
	when := fmt.Sprintf("after a kill at call %d, %s, a whole run and a power cut", n, o.calls[n])
	o.kill(n)
	o.bootstrap(o.do...)
	must(o.t, o.cut())
	o.reboot()
	onDisk := func(s snapshot.Snapshot) snapshot.Snapshot {
		// The record may be the one that was written ahead: the next run confirms it.
		maps.DeleteFunc(s, func(name, _ string) bool { return !kept.MatchString(name) || strings.Contains(name, "ledger.json") })
		return s
	}
	if diff := snapshot.Diff(onDisk(maps.Clone(o.after)), onDisk(o.look())); len(diff) > 0 {
		o.t.Errorf("%s the disk has lost:\n%s", when, strings.Join(diff, "\n"))
	}
	o.bootstrap(o.do...)
	o.undone(when)
}
