package faults

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/test/faults/trace"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// story is a run that changes the host, and the way back to where it began.
type story struct {
	name  string
	begin func(*world) // from a host that nothing of ours is on
	do    []string
	undo  func(*world)
}

var (
	applyA = []string{"up", "-f", fileA}
	applyB = []string{"up", "-f", fileB}
	give   = []string{"down", "--yes"}
	purge  = []string{"down", "--yes", "--purge"}
)

// stories are the runs that are swept. What is mounted, no run takes back, but a reboot.
var stories = []story{
	{
		name:  "up",
		begin: func(*world) {},
		do:    applyA,
		undo:  (*world).clear,
	},
	{
		name:  "up with a change",
		begin: func(w *world) { w.bootstrap(applyA...) },
		do:    applyB,
		undo:  func(w *world) { w.clear(); w.bootstrap(applyA...) },
	},
	{
		name:  "down",
		begin: func(w *world) { w.bootstrap(applyB...) },
		do:    give,
		undo:  func(w *world) { w.unmount(); w.bootstrap(applyB...) },
	},
}

// longStories are told in the long form only.
var longStories = []story{
	{
		name:  "a change taken back",
		begin: func(w *world) { w.bootstrap(applyB...) },
		do:    applyA,
		undo:  func(w *world) { w.clear(); w.bootstrap(applyB...) },
	},
	{
		name:  "the marker of down taken away",
		begin: func(w *world) { w.bootstrap(applyA...); w.bootstrap(give...) },
		do:    purge,
		undo:  func(w *world) { w.unmount(); w.bootstrap(applyA...); w.bootstrap(give...) },
	},
}

func told() []story {
	if long {
		return append(stories, longStories...)
	}
	return stories
}

// clear takes all back.
func (w *world) clear() { w.t.Helper(); w.bootstrap(purge...); w.unmount() }

// TestKillSweep: whatever the moment at which a run is killed, running it again brings the
// host to exactly where the run would have brought it, and undoing brings it to exactly
// where it was; the run after that changes nothing.
func TestKillSweep(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	points, recovered := 0, 0
	for _, s := range told() {
		ok := t.Run(s.name, func(t *testing.T) {
			k := &killing{world: &world{t: t, looker: w.looker, program: w.program}, story: s}
			k.begin(k.world)
			k.record()
			points += len(k.calls)
			for n := range k.calls {
				k.at(n)
				if t.Failed() {
					t.FailNow()
				}
				recovered++
			}
			k.clear()
		})
		if !ok {
			break
		}
	}
	tell(t, "kill points: %d of %d recovered", recovered, points)
}

// killing is one story whose run is killed at each of its calls.
type killing struct {
	*world
	story
	recorded      []trace.Call
	calls         []string // their names
	open          []string // files and folders that the run has open at its end
	before, after snapshot.Snapshot
}

// record plays the story undisturbed, and leaves the host as it was.
func (k *killing) record() {
	k.t.Helper()
	k.before = k.look()
	r := k.traced(nil, k.do...)
	if r.ExitCode != 0 {
		k.t.Fatalf("%v ended with %d: %s", k.do, r.ExitCode, r.Output)
	}
	k.recorded, k.calls, k.open = r.Calls, names(r.Calls), r.Open
	k.after = k.look()
	if len(snapshot.Diff(k.before, k.after)) < 3 { // the marker of `down`, and the folder that it is in
		k.t.Fatalf("%v changes too little: %v", k.do, snapshot.Diff(k.before, k.after))
	}
	k.changesNothing("after an undisturbed run", k.do...)
	k.back("after an undisturbed run")
	k.t.Logf("%s: %d calls", k.name, len(k.calls))
}

// at kills the run before its n-th call, twice: once it is run again, once undone.
func (k *killing) at(n int) {
	k.t.Helper()
	when := fmt.Sprintf("after a kill at call %d, %s,", n, k.calls[n])
	k.kill(n)
	k.bootstrap(k.do...)
	k.mustBe(k.after, when+" and the same run again,")
	k.changesNothing(when+" and the same run again,", k.do...)
	k.back(when + " the same run again and its undoing,")

	k.kill(n)
	k.back(when + " and the undoing,")
}

// kill kills the run at its n-th call, and makes sure that it got there as recorded.
func (k *killing) kill(n int) {
	k.t.Helper()
	r := k.traced(func(at int, _ trace.Call) trace.Verdict { return trace.Verdict{Kill: at == n} }, k.do...)
	if !r.Killed() {
		k.t.Fatalf("the run was not killed at call %d: it ended with %d: %s", n, r.ExitCode, r.Output)
	}
	if made := names(r.Calls); !slices.Equal(made, k.calls[:n+1]) {
		k.t.Fatalf("up to call %d the run was not as recorded:\n%q\n%q", n, made, k.calls[:n+1])
	}
}

func (k *killing) back(when string) {
	k.t.Helper()
	k.undo(k.world)
	k.mustBe(k.before, when)
}

func names(calls []trace.Call) []string {
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = c.String()
	}
	return out
}
