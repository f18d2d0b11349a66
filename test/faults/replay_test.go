package faults

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"math/rand/v2"
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
	runs, each := [][]string{applyA, applyB}, 1
	if long {
		runs, each = [][]string{applyA, applyB, give}, 50
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	sweep := &sweep{replayed: r, hosts: map[host]bool{}}
	prefixes, reorderings, writes := 0, 0, 0
	for _, options := range []string{"", fragile} {
		r.play(options, runs...)
		from := r.marks[0].entries
		writes += r.log.Writes(from)
		sweep.disks = map[string]bool{}
		prefixes += sweep.all(r.log.Prefixes(from))
		reorderings += sweep.all(r.log.Reorderings(from, each, random))
	}
	tell(t, "block replay: %d prefixes and %d reorderings of %d writes, all recovered; they leave %d different hosts", prefixes, reorderings, writes, len(sweep.hosts))
}

// sweep goes through disks and judges each host that one of them leaves.
type sweep struct {
	*replayed
	disks map[string]bool // those of this recording that were read
	hosts map[host]bool   // those that were judged
}

// host tells hosts apart that a power cut may leave.
type host struct {
	runs int // how many had ended well
	// begun: the next one had begun to write.
	begun bool
	tree  [sha256.Size]byte // what is on the disk
}

// all goes through disks, and returns how many there were that had not been seen yet.
func (s *sweep) all(states iter.Seq[replay.State]) int {
	s.t.Helper()
	before, found := len(s.disks), map[host]replay.State{}
	visit(s.unseen(states), s.options, func(r reading) {
		if r.err != nil {
			s.t.Fatalf("mounted with %q, with %s: %v", s.options, r.state.Name, r.err)
		}
		runs, begun := s.when(r.state)
		h := host{runs, begun, sha256.Sum256(fmt.Append(nil, r.on))}
		if !s.hosts[h] {
			s.hosts[h] = true
			found[h] = r.state
		}
	})
	for h, state := range found {
		s.judge(h, state)
		if s.t.Failed() {
			s.t.FailNow()
		}
	}
	return len(s.disks) - before
}

// unseen leaves out disks that are block by block like one before.
func (s *sweep) unseen(states iter.Seq[replay.State]) iter.Seq[replay.State] {
	return func(yield func(replay.State) bool) {
		for state := range states {
			runs, begun := s.when(state)
			disk := fmt.Sprint(runs, begun, state.Image.Sum())
			if s.disks[disk] {
				continue
			}
			s.disks[disk] = true
			if !yield(state) {
				return
			}
		}
	}
}

// judge boots a host from a disk, and looks whether it can go on.
func (r *replayed) judge(h host, state replay.State) {
	r.t.Helper()
	when := fmt.Sprintf("mounted with %q, after %d runs, with %s", r.options, h.runs, state.Name)
	next := min(h.runs, len(r.told)-1)
	r.do, r.before, r.after = r.told[next], r.marks[h.runs].host, r.marks[next+1].host
	r.on(state.Image, func() {
		now := r.look()
		for name := range now {
			r.whole(now, name, when)
		}
		r.keeps(now, h.begun, when)
		r.bootstrap(r.do...)
		r.mustBe(r.after, when+" and the next run,")
		r.changesNothing(when+" and the next run,", r.do...)
		r.clear()
		r.mustBe(r.marks[0].host, when+" and the next run and its undoing,")
	})
	if long {
		r.on(state.Image, func() {
			r.clear()
			r.mustBe(r.marks[0].host, when+" and the undoing,")
		})
	}
}

// keeps: what runs had done that had ended well, is there, unless the next run that may
// have begun is to change it.
func (r *replayed) keeps(now snapshot.Snapshot, begun bool, when string) {
	r.t.Helper()
	for name, was := range r.before {
		is, there := now[name]
		becomes, stays := r.after[name]
		changes := begun && (!stays || becomes != was)
		if kept.MatchString(name) && (is != was && !changes || begun && stays && !there) {
			r.t.Errorf("%s %s is lost: it is %q, was %q", when, name, is, was)
		}
	}
}
