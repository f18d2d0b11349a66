package faults

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// TestBlockReplay: whatever part of what a run wrote to its disk has arrived there when
// the power goes, in order or out of order as a disk may between two flushes, each file is
// the old one or the new one, the next run brings all that is wished, and undoing all that
// was. What a run has done that ended well, is there.
func TestBlockReplay(t *testing.T) {
	r := inReplay(t)
	if r == nil {
		return
	}
	each := 1
	if long {
		each = 50
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	prefixes, reorderings, writes, hosts := 0, 0, 0, 0
	for _, options := range []string{"", fragile} {
		r.play(options, applyA, applyB)
		from := r.marks[0].entries
		writes += r.log.Writes(from)
		found := r.read(r.log.Prefixes(from))
		prefixes += found.states
		more := r.read(r.log.Reorderings(from, each, random))
		reorderings += more.states
		maps.Copy(found.hosts, more.hosts)
		hosts += len(found.hosts)
		t.Logf("mounted with %q: %d writes, %d different hosts", options, r.log.Writes(from), len(found.hosts))
		for h, s := range found.hosts {
			r.judge(h, s)
		}
	}
	tell(t, "block replay: %d prefixes and %d reorderings of %d writes, %d different hosts, all recovered", prefixes, reorderings, writes, hosts)
}

// host tells hosts apart that a power cut may leave: by what is on the disk, and by the
// run that had ended well.
type host struct {
	run  int
	tree string
}

// judge boots a host from a disk, and looks whether it can go on.
func (r *replayed) judge(h host, s replay.State) {
	r.t.Helper()
	when := fmt.Sprintf("mounted with %q, after %d runs, with %s", r.options, h.run, s.Name)
	r.do, r.before, r.after = applyA, r.marks[h.run].host, r.marks[min(h.run+1, len(r.marks)-1)].host
	if h.run > 0 {
		r.do = applyB
	}
	r.on(s.Image, func() {
		now := r.look()
		for name := range now {
			r.whole(now, name, when)
		}
		if h.run > 0 {
			r.keeps(now, when)
		}
		r.bootstrap(r.do...)
		r.mustBe(r.after, when+" and the next run,")
		r.changesNothing(when+" and the next run,", r.do...)
		r.clear()
		r.mustBe(r.marks[0].host, when+" and the next run and its undoing,")
	})
	if r.t.Failed() {
		r.t.FailNow()
	}
}

// keeps: what a run has done that had ended well is there, also after the next one has begun.
func (r *replayed) keeps(now snapshot.Snapshot, when string) {
	r.t.Helper()
	for name := range r.before {
		// The record may be the one that was written ahead: the next run confirms it.
		if _, there := now[name]; there || !kept.MatchString(name) || strings.Contains(name, "ledger.json") {
			continue
		}
		if _, stays := r.after[name]; stays {
			r.t.Errorf("%s there is no more %s", when, name)
		}
	}
	if same := snapshot.Diff(r.before, r.after); len(same) > 0 {
		return
	}
	if diff := snapshot.Diff(onDisk(r.before), onDisk(now)); len(diff) > 0 {
		r.t.Errorf("%s the disk has lost:\n%s", when, strings.Join(diff, "\n"))
	}
}

// onDisk is what a disk keeps, but for the record.
func onDisk(s snapshot.Snapshot) snapshot.Snapshot {
	s = maps.Clone(s)
	maps.DeleteFunc(s, func(name, _ string) bool { return !kept.MatchString(name) || strings.Contains(name, "ledger.json") })
	return s
}
