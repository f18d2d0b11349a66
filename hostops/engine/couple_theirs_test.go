package engine_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// An interface that had a line of its own goes, and comes again once nobody wishes that: its
// record stands for nothing, and what it took over from our default is recorded in the other
// book, if only for as long as that is given back.
func TestAVoidRecordIsInNoBookAfterAMastersWrite(t *testing.T) {
	const key, other = "net.ipv4.conf.default.rp_filter", "net.ipv4.conf.eth1.rp_filter"
	w := newWorld(fake.Link("eth1"))
	w.wishAs(key, "1", item.AtLeast)
	w.wish(other, "2")
	w.must(t)
	w.both(func(h *fake.Host) {
		h.SetReader(nil) // no udev
		h.RemoveLink("eth1")
	})
	w.wish(other, "")
	w.must(t)
	w.both(func(h *fake.Host) { h.AddLink("eth1") })
	w.mustBeAsBefore(t)
}

// The other way round: the void record is in the book of this boot, and the master's is not.
func TestAVoidRecordOfThisBootIsInNoBookAfterAMastersWrite(t *testing.T) {
	w := newWorld(fake.Link("eth1"))
	w.wish("net.ipv4.conf.eth*.forwarding", "1")
	w.must(t)
	w.both(func(h *fake.Host) {
		h.SetReader(nil) // no udev
		h.RemoveLink("eth1")
		h.AddLink("eth1")
	})
	w.foreign("net.ipv4.conf.eth1.forwarding", "1")
	w.down()
	w.wish(forward, "1")
	w.must(t)
	if n := w.ledger.Volatile.Len(); n > 0 {
		t.Errorf("the book of this boot still has %v", w.ledger.Volatile.Keys())
	}
	w.mustBeAsBefore(t)
}

// What is told and not repaired, or held, is not made ours because a master's write disturbs
// it.
func TestWhatIsNotRepairedStaysTheirsAfterAMastersWrite(t *testing.T) {
	for name, leave := range map[string]func(*item.Want){
		"told": func(w *item.Want) { w.Report = true },
		"held": func(w *item.Want) { w.Hold = true },
	} {
		t.Run(name, func(t *testing.T) {
			w := changedSince(t)
			for k, want := range w.wishes {
				leave(&want)
				w.wishes[k] = want
			}
			w.must(t)
			w.wish(forward, "0")
			w.must(t)
			if got := w.live(eth0); got != "2" {
				t.Errorf("it is %s", got)
			}
			w.mustBeAsBefore(t)
		})
	}
}

// killedAnywhere kills the run that a story has come to, at each of its steps: once all is given
// back, the host is as it would be without us.
func killedAnywhere(t *testing.T, story func() *world) {
	t.Helper()
	for tick, died := 0, true; died; tick++ {
		w := story()
		died = w.runKilled(tick)
		w.clone().mustBeAsBefore(t) // at once, and after one more run
		w.must(t)
		w.mustBeAsBefore(t)
		if t.Failed() {
			t.Fatalf("killed at tick %d", tick)
		}
	}
}

// changedSince is a host on which others have changed an item of ours.
func changedSince(t *testing.T) *world {
	t.Helper()
	w := newWorld()
	w.foreign(forward, "1")
	w.wish(eth0, "0")
	w.must(t)
	w.foreign(eth0, "2")
	return w
}

// Giving it back leaves it as it is, and giving back its master does not change it either.
func TestWhatOthersChangedSinceIsPutBackAfterAMastersWrite(t *testing.T) {
	killedAnywhere(t, func() *world {
		w := newWorld()
		w.foreign(forward, "1")
		w.wish(forward, "0")
		w.wish(eth0, "0")
		w.must(t)
		w.foreign(eth0, "2")
		w.down()
		return w
	})
}

// Others have made an item what is wished of it now, and its master is written in the same run.
func TestWhatOthersMadeRightStaysTheirsAfterAMastersWrite(t *testing.T) {
	killedAnywhere(t, func() *world {
		w := changedSince(t)
		w.wish(eth0, "2")
		w.wish(forward, "0")
		return w
	})
}

// Others have given an item of ours, which nobody wishes any more, what its master makes of
// it in the same run.
func TestWhatOthersChangedSinceIsIndependentOfItsMaster(t *testing.T) {
	killedAnywhere(t, func() *world {
		w := changedSince(t)
		w.wish(eth0, "")
		w.wish(forward, "2")
		return w
	})
}

// An interface was made under our value of the default, which is to become another one and
// cannot be written: what the interface has is ours, whatever becomes of the run.
func TestWhatAnInterfaceHasOfOurDefaultIsOursWhereARunDies(t *testing.T) {
	const key = "net.ipv4.conf.default.rp_filter"
	path := name(key).Path()
	for tick, died := 0, true; died; tick++ {
		w := newWorld(fake.Sysctl(path, "0"))
		w.wish(key, "1")
		w.must(t)
		w.reboot()
		w.host.FailSysctlWrite(path, fake.ErrDead)
		w.wish(key, "0")
		_ = w.run()
		w.both(func(h *fake.Host) { h.AddLink("lxc1") })
		w.wish("net.ipv4.conf.lxc*.rp_filter", "0")
		died = w.runKilled(tick)
		w.host.EndFaults()
		w.mustBeAsBefore(t)
		if t.Failed() {
			t.Fatalf("killed at tick %d", tick)
		}
	}
}

// Others have given an item what is wished of it, and what its master makes of it later: a
// bound, or a pattern, that holds has no record.
func TestWhatIsRightWithoutUsIsIndependentOfItsMaster(t *testing.T) {
	for name, wish := range map[string]func(w *world){
		"a bound":   func(w *world) { w.wishAs(eth0, "1", item.AtLeast) },
		"a pattern": func(w *world) { w.wish("net.ipv4.conf.eth*.forwarding", "2") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.foreign(forward, "1")
			w.foreign(eth0, "2")
			wish(w)
			w.must(t)
			w.wish(forward, "2")
			w.must(t)
			w.must(t)
			if w.mutations > 0 {
				t.Errorf("the second run changes %d things", w.mutations)
			}
			w.mustBeAsBefore(t)
		})
	}
}
