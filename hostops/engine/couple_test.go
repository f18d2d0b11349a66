package engine_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const (
	forward   = "net.ipv4.ip_forward"
	redirects = "net.ipv4.conf.all.accept_redirects"
	eth0      = "net.ipv4.conf.eth0.forwarding"
)

// router is a host on which keys that follow ip_forward were set on their own: it takes
// no redirects although it is no router, and forwards on one interface.
func router(t *testing.T) *world {
	t.Helper()
	w := newWorld(fake.Link("eth1"))
	w.foreign(redirects, "0")
	w.foreign(eth0, "1")
	return w
}

func TestWhatTheKernelChangedOnItsOwnIsGivenBack(t *testing.T) {
	w := router(t)
	w.wish(forward, "1")
	w.must(t)
	w.must(t)
	if w.mutations > 0 {
		t.Errorf("the second run changes %d things", w.mutations)
	}
	w.mustBeAsBefore(t)
}

func TestWhatTheKernelChangedOnItsOwnIsGivenBackAfterAReboot(t *testing.T) {
	w := newWorld(fake.Link("eth1"))
	w.admin(before, redirects, "0")
	w.admin(before, eth0, "1")
	w.both((*fake.Host).Reread)
	w.wish(forward, "1")
	w.must(t)
	w.reboot()
	w.must(t)
	if w.drifts > 0 {
		t.Errorf("%d drifts after a reboot", w.drifts)
	}
	w.mustBeAsBefore(t)
}

func TestWhatTheKernelChangedOnItsOwnIsGivenBackWithoutARunAfterTheReboot(t *testing.T) {
	w := newWorld()
	w.admin(before, redirects, "0")
	w.admin(before, eth0, "1")
	w.both((*fake.Host).Reread)
	w.wish(forward, "1")
	w.must(t)
	w.reboot()
	w.mustBeAsBefore(t)
}

func TestADependantThatIsWishedIsWrittenAfterItsMaster(t *testing.T) {
	w := newWorld()
	w.wish(forward, "1")
	w.wish(redirects, "1")
	w.wish(eth0, "0")
	w.must(t)
	for key, want := range map[string]string{forward: "1", redirects: "1", eth0: "0"} {
		if got := w.live(key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	w.must(t)
	if w.mutations > 0 || w.drifts > 0 {
		t.Errorf("the second run changes %d things and tells %d drifts", w.mutations, w.drifts)
	}
	w.mustBeAsBefore(t)
}

func TestADependantWishedLaterIsGivenBackWithItsMaster(t *testing.T) {
	w := newWorld()
	w.wish(forward, "1")
	w.must(t)
	w.wish(redirects, "1")
	w.must(t)
	w.mustBeAsBefore(t)
}

// An admin's file names the dependant first, and so systemd-sysctl writes it first and our
// line for the master after it: what the boot has then is ours, and nothing to give back.
func TestWhatOurLineOfTheMasterMadeAtBootIsNotGivenBack(t *testing.T) {
	for _, boot := range []func(*world){(*world).reboot, (*world).powerCut} {
		w := newWorld()
		w.admin(before, redirects, "1")
		w.both((*fake.Host).Reread)
		w.wish(forward, "1")
		w.wish(redirects, "1")
		w.must(t)
		boot(w)
		if w.live(redirects) != "0" {
			t.Fatalf("after the boot accept_redirects is %s: the story is another one", w.live(redirects))
		}
		w.must(t)
		if w.live(redirects) != "1" || w.drifts > 0 {
			t.Errorf("accept_redirects is %s, %d drifts", w.live(redirects), w.drifts)
		}
		w.mustBeAsBefore(t)
	}
}

// The admin has what our master would make of the dependant. A run that died before a power
// cut recorded that, and its record is void in the next boot: the value is the admin's still.
func TestAnIndependentValueOutlivesAVoidRecord(t *testing.T) {
	for tick, died := 0, true; died; tick++ {
		w := newWorld()
		w.admin(before, redirects, "0")
		w.both((*fake.Host).Reread)
		w.wish(forward, "1")
		died = w.runKilled(tick)
		w.powerCut()
		w.must(t)
		w.mustBeAsBefore(t)
		if t.Failed() {
			t.Fatalf("killed at tick %d", tick)
		}
	}
}

func TestADependantOutlivesItsMastersWish(t *testing.T) {
	w := newWorld()
	w.wish(forward, "1")
	w.must(t)
	w.wish(redirects, "1")
	w.must(t)
	w.wish(forward, "")
	w.must(t)
	if w.live(forward) != "0" || w.live(redirects) != "1" {
		t.Errorf("ip_forward %s, accept_redirects %s", w.live(forward), w.live(redirects))
	}
	w.mustBeAsBefore(t)
}

func TestADependantThatIsUnwishedFirstIsStillGivenBack(t *testing.T) {
	w := router(t)
	w.wish(forward, "1")
	w.wish(redirects, "1")
	w.must(t)
	w.wish(redirects, "")
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestWhatOthersSetOnTheirOwnIsPutBackAfterAMastersWrite(t *testing.T) {
	w := newWorld()
	w.wish(forward, "1")
	w.must(t)
	w.foreign(eth0, "0") // only here: forwarding off on one interface
	w.foreign(redirects, "1")
	w.mustBeAsBefore(t)
}

func TestAnInterfaceThatFollowsDefaultIsNotLeftWithOurValue(t *testing.T) {
	w := newWorld()
	w.wish("net.ipv4.conf.default.rp_filter", "1")
	w.must(t)
	w.wish("net.ipv4.conf.eth0.rp_filter", "2")
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestAPatternHoldsAgainstDefault(t *testing.T) {
	w := newWorld(fake.Link("lxc1"))
	w.wish("net.ipv4.conf.default.rp_filter", "1")
	w.wish("net.ipv4.conf.lxc*.rp_filter", "0")
	w.must(t)
	if v := w.live("net.ipv4.conf.lxc1.rp_filter"); v != "0" {
		t.Errorf("lxc1 has %s: its value was right before default was written", v)
	}
	w.must(t)
	if w.mutations > 0 {
		t.Errorf("the second run changes %d things", w.mutations)
	}
	w.mustBeAsBefore(t)
}

func TestADeathBetweenMasterAndDependantsLosesNothing(t *testing.T) {
	for tick := 0; ; tick++ {
		w := router(t)
		w.wish(forward, "1")
		w.wish("net.ipv4.conf.eth1.forwarding", "0")
		if !w.runKilled(tick) {
			break
		}
		up := w.clone()
		up.must(t)
		up.must(t)
		if up.mutations > 0 || up.drifts > 0 {
			t.Fatalf("died at %d: the third run changes %d things, %d drifts", tick, up.mutations, up.drifts)
		}
		up.mustBeAsBefore(t)
		w.mustBeAsBefore(t)
		if t.Failed() {
			t.Fatalf("died at tick %d", tick)
		}
	}
}

func TestADeathWhileGivingBackLosesNothing(t *testing.T) {
	for tick := 0; ; tick++ {
		w := router(t)
		w.wish(forward, "1")
		w.wish("net.ipv4.conf.default.rp_filter", "1")
		w.wish("net.ipv4.conf.eth1.rp_filter", "2")
		w.must(t)
		w.down()
		if !w.runKilled(tick) {
			break
		}
		w.mustBeAsBefore(t)
		if t.Failed() {
			t.Fatalf("died at tick %d", tick)
		}
	}
}

func TestAPairIsOneSetting(t *testing.T) {
	w := newWorld()
	w.wish("vm.dirty_bytes", "1048576")
	w.must(t)
	if w.live("vm.dirty_bytes") != "1048576" || w.live("vm.dirty_ratio") != "0" {
		t.Errorf("bytes %s, ratio %s", w.live("vm.dirty_bytes"), w.live("vm.dirty_ratio"))
	}
	w.must(t)
	if w.mutations > 0 {
		t.Errorf("the second run changes %d things", w.mutations)
	}
	w.reboot()
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestKeysOfAModuleAreSetOnceItIsLoaded(t *testing.T) {
	w := newWorld()
	w.module("br_netfilter", true)
	w.wish("net.bridge.bridge-nf-call-iptables", "1")
	w.must(t)
	if w.live("net.bridge.bridge-nf-call-iptables") != "1" {
		t.Error("the key is not set")
	}
	w.reboot()
	w.must(t)
	if w.drifts > 0 || w.live("net.bridge.bridge-nf-call-iptables") != "1" {
		t.Errorf("after a reboot: %d drifts, value %s", w.drifts, w.live("net.bridge.bridge-nf-call-iptables"))
	}
}

func TestABoundThatMovesLaterIsTriedAgain(t *testing.T) {
	w := small()
	w.host.FailSysctlWrite("vm/max_map_count", machine.ErrInvalid) // refused while swappiness is 60
	w.host.OnStep(func(int) {
		if v, _ := w.host.Sysctl("vm/swappiness"); v == "1" {
			w.host.FailSysctlWrite("vm/max_map_count", nil)
		}
	})
	w.wish(maxMap, "262144")
	w.wish(swappiness, "1")
	w.must(t)
	if w.live(maxMap) != "262144" {
		t.Errorf("max_map_count is %s", w.live(maxMap))
	}
}

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
			w := newWorld()
			w.foreign(forward, "1")
			w.wish(eth0, "0")
			w.must(t)
			w.foreign(eth0, "2")
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

// Others changed an item of ours since: giving it back leaves it as it is, and giving back its
// master does not change it either, wherever a run dies.
func TestWhatOthersChangedSinceIsPutBackAfterAMastersWrite(t *testing.T) {
	for tick := 0; ; tick++ {
		w := newWorld()
		w.foreign(forward, "1")
		w.wish(forward, "0")
		w.wish(eth0, "0")
		w.must(t)
		w.foreign(eth0, "2")
		w.down()
		died := w.runKilled(tick)
		w.mustBeAsBefore(t)
		if t.Failed() {
			t.Fatalf("killed at tick %d", tick)
		}
		if !died {
			return
		}
	}
}
