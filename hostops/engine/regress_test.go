package engine_test

import (
	"maps"
	"slices"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

func sortedKeys(m map[item.Key]item.Want) []item.Key { return slices.Sorted(maps.Keys(m)) }

// Every test below is the shortest history in which a simpler form of the protocol goes
// wrong: the rule that it breaks is in the test's name.

const (
	swappiness = "vm.swappiness"
	maxMap     = "vm.max_map_count"
)

// small is a host with few keys: the histories are about one of them.
func small(more ...fake.Option) *world {
	return newWorld(append([]fake.Option{
		fake.Bare(), fake.Sysctl("vm/swappiness", "60"), fake.Sysctl("vm/max_map_count", "65530"),
	}, more...)...)
}

func TestTheFileIsWrittenInTheStageOfItsRecords(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.runUntil(paths.SysctlDropIn, 1)
	w.powerCut() // our line sets 1
	w.mustBeAsBefore(t)
}

func TestTheFileIsDelistedInTheStageOfItsRecords(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.must(t)
	w.reboot()
	w.mustBeAsBefore(t)
}

func TestARightValueIsRecordedBeforeItIsListed(t *testing.T) {
	w := small()
	w.wish(swappiness, "60")
	w.runUntil(paths.SysctlDropIn, 1)
	w.kernelDefault(swappiness, "1")
	w.powerCut() // our line sets 60: it is there because of us
	w.must(t)
	w.foreign(swappiness, "7")
	w.must(t)
	if w.drifts != 1 {
		t.Errorf("%d drifts: a listed value is not owned", w.drifts)
	}
	w.down()
	w.must(t)
	w.reboot()
	w.mustBeAsBefore(t)
}

// A bound becomes a value: its record moves from the book of this boot into the other.
func TestARecordIsInOneBookAfterTheRunThatFollowsADeath(t *testing.T) {
	for tick := 0; ; tick++ {
		w := small()
		w.wishAs(maxMap, "262144", item.AtLeast)
		w.must(t)
		w.wish(maxMap, "131072")
		died := w.runKilled(tick)
		w.must(t)
		if n := w.ledger.Volatile.Len(); n > 0 {
			t.Errorf("killed at tick %d: the book of this boot still has %v", tick, w.ledger.Volatile.Keys())
		}
		w.down()
		w.mustBeAsBefore(t)
		if !died {
			t.Logf("%d ticks", tick)
			return
		}
	}
}

// A run renames a file and dies, or fails, before the folder is synced: the next one finds
// the file as wished and has nothing to write.
func TestWhatARunFoundAsWishedIsDurableOnceItHasEndedWell(t *testing.T) {
	for _, path := range []string{paths.SysctlDropIn, paths.Ledger} {
		w := small()
		w.wish(swappiness, "1")
		w.host.FailChange(path, machine.ErrNotDurable)
		_ = w.run()
		w.host.EndFaults()
		w.must(t)
		file, _ := w.host.File(path)
		w.powerCut()
		if now, _ := w.host.File(path); now != file || file == "" {
			t.Errorf("%s was %q, after the power cut it is %q", path, file, now)
		}
		w.down()
		w.must(t)
		w.mustBeAsBefore(t)
	}
}

// A boot file that could not be rewritten still lists the old value, which is ours as long
// as it does, and no longer.
func TestAnOldLineIsOursUntilItsFileIsRewritten(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.must(t)
	w.wish(swappiness, "2")
	w.host.FailChange(paths.SysctlDropIn, syscall.ENOSPC)
	w.must(t)
	w.host.EndFaults()
	w.must(t)
	w.foreign(swappiness, "1") // which is somebody else's now
	w.down()
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestNothingIsWrittenOnARecordThatIsNotDurable(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.host.FailChange(paths.Ledger, machine.ErrNotDurable)
	_ = w.run()
	w.host.EndFaults()
	w.runUntil("vm/swappiness", 1) // the record is as it must be, and so nothing is written ahead
	w.powerCut()
	w.down()
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestNothingIsWrittenBeforeItIsRecorded(t *testing.T) {
	for _, path := range []string{"vm/swappiness", paths.SysctlDropIn} {
		w := small()
		w.wish(swappiness, "1")
		w.runUntil(path, 1)
		w.mustBeAsBefore(t)
	}
}

func TestGivingBackIsRecordedToo(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.must(t)
	wish := maps.Clone(w.wishes)
	w.down()
	w.runUntil("vm/swappiness", 1)
	w.wishes = wish
	w.must(t)
	if w.drifts > 0 {
		t.Error("our own give-back is told as drift")
	}
}

func TestAValueOfAnEarlierBootIsNoDrift(t *testing.T) {
	w := small(fake.Boots(nil)) // an init that ignores sysctl.d
	w.wish(swappiness, "1")
	w.must(t)
	w.reboot()
	w.must(t)
	if w.drifts > 0 || w.live(swappiness) != "1" {
		t.Errorf("%d drifts, live %s", w.drifts, w.live(swappiness))
	}
	w.mustBeAsBefore(t)
}

func TestAnInterfaceMadeAnewIsNoDrift(t *testing.T) {
	w := newWorld()
	w.both(func(h *fake.Host) { h.AddLink("lxc1") })
	w.wish("net.ipv4.conf.lxc*.rp_filter", "1")
	w.must(t)
	w.both(func(h *fake.Host) {
		h.RemoveLink("lxc1")
		h.SetReader(nil) // no udev
		h.AddLink("lxc1")
	})
	w.must(t)
	if w.drifts > 0 {
		t.Error("a new interface of an old name is told as drift")
	}
}

func TestARecordFromBeforeAPowerCutDoesNotDecide(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.kernelDefault(swappiness, "1")
	w.runUntil(paths.Ledger, 1) // recorded, nothing written
	w.powerCut()                // the boot gives 1, which is not ours
	w.mustBeAsBefore(t)
}

func TestWhatALaterBootGivesIsGivenBack(t *testing.T) {
	w := small()
	w.wish(swappiness, "60")
	w.must(t)
	w.admin(after, swappiness, "1")
	w.reboot()
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestOurOwnClampedLineIsNoBaseline(t *testing.T) {
	w := small()
	w.both(func(h *fake.Host) { h.SetClamp("vm/swappiness", 100) })
	w.wish(swappiness, "200")
	w.runUntil(paths.SysctlDropIn, 1)
	w.powerCut() // the kernel makes 100 of our line
	w.wish(swappiness, "200")
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestABaselineSurvivesADeathBeforeItIsProved(t *testing.T) {
	w := small()
	w.wish(swappiness, "60")
	w.must(t)
	w.admin(after, swappiness, "1")
	w.reboot()
	w.runUntil("vm/swappiness", 1)
	w.mustBeAsBefore(t)
}

func TestABaselineSurvivesAReleaseThatIsCutOff(t *testing.T) {
	w := small()
	w.wish(swappiness, "60")
	w.must(t)
	w.admin(after, swappiness, "1")
	w.reboot() // 1, by the admin's file
	w.down()
	w.admin(after, swappiness, "")
	w.kernelDefault(swappiness, "1") // without our line the next boot gives 1
	w.runUntil(paths.Ledger, 1)      // the file still lists 60
	w.powerCut()
	w.mustBeAsBefore(t)
}

func TestAValueThatOthersMadeRightIsTheirs(t *testing.T) {
	w := small()
	w.wish(swappiness, "60")
	w.must(t)
	w.admin(after, swappiness, "1")
	w.reboot()
	w.wish(swappiness, "1")
	w.must(t)
	w.mustBeAsBefore(t)
}

func TestAClampSeenAfterADeathIsNoDrift(t *testing.T) {
	w := small()
	w.both(func(h *fake.Host) { h.SetClamp("vm/swappiness", 100) })
	w.wish(swappiness, "200")
	w.runUntil("vm/swappiness", 1)
	w.must(t)
	if w.drifts > 0 {
		t.Error("what the kernel made of our own write is told as drift")
	}
}

func TestAClampIsWrittenOnceABoot(t *testing.T) {
	w := small()
	w.both(func(h *fake.Host) { h.SetClamp("vm/swappiness", 100) })
	w.wish(swappiness, "200")
	w.must(t)
	w.must(t)
	if w.mutations > 0 {
		t.Errorf("the second run changes %d things", w.mutations)
	}
	w.mustBeAsBefore(t)
}

func TestAForeignWriteInBetweenIsNoClamp(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	writes := 0
	w.host.OnStep(func(int) {
		if v, _ := w.host.Sysctl("vm/swappiness"); v == "1" && writes == 0 {
			writes++
			_ = w.host.SetSysctl("vm/swappiness", "0")
		}
	})
	w.must(t)
	w.host.OnStep(nil)
	w.must(t)
	if w.live(swappiness) != "1" {
		t.Errorf("live %s: a foreign write was taken for what the kernel makes of ours", w.live(swappiness))
	}
}

func TestAForeignWriteInTheSecondBootIsDrift(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.must(t)
	w.reboot()
	w.must(t)
	w.foreign(swappiness, "7")
	w.must(t)
	if w.drifts != 1 {
		t.Errorf("%d drifts, want 1", w.drifts)
	}
}

func TestAKeyIsSeenOnceBeforeItIsListed(t *testing.T) {
	w := small()
	hide := func(h *fake.Host) { h.Hide("vm/swappiness") }
	show := func(h *fake.Host) { h.Show("vm/swappiness") }
	w.both(hide)
	w.wish(swappiness, "1")
	w.wish(maxMap, "262144")
	_ = w.run()
	w.both(show)
	w.reboot()
	w.mustBeAsBefore(t)
}

func TestAtLeastIsNeverListed(t *testing.T) {
	w := small()
	w.wishAs(swappiness, "80", item.AtLeast)
	w.runUntil(paths.RunLedger, 1)
	w.wishAs(swappiness, "10", item.AtLeast)
	w.must(t)
	w.must(t)
	if w.mutations > 0 {
		t.Errorf("a quiet run changes %d things", w.mutations)
	}
	w.wishAs(swappiness, "80", item.AtLeast)
	w.must(t)
	if _, ok := w.host.File(paths.SysctlDropIn); ok {
		t.Error("a boot file lists a bound: it would lower a larger value of the next boot")
	}
	w.admin(before, swappiness, "100")
	w.reboot()
	w.must(t)
	if w.live(swappiness) != "100" {
		t.Errorf("live %s, want the admin's larger 100", w.live(swappiness))
	}
}

func TestALostLedgerIsNoFirstRun(t *testing.T) {
	w := small()
	w.wish(swappiness, "1")
	w.must(t)
	w.host.Delete(paths.Ledger)
	w.down()
	if err := w.run(); err == nil {
		t.Error("a lost ledger was taken for a first run")
	}
	if w.mutations > 0 || w.live(swappiness) != "1" {
		t.Errorf("%d changes although the ledger is lost", w.mutations)
	}
}

func TestWhatMayBeOursDoesNotGrow(t *testing.T) {
	w := small()
	w.host.FailSysctlWrite("vm/swappiness", fake.ErrDead)
	for _, v := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		w.wish(swappiness, v)
		_ = w.run()
		e, _ := w.ledger.Entry("sysctl/vm.swappiness")
		if len(e.Ours) > 4 {
			t.Fatalf("%d values may be ours: %v", len(e.Ours), e.Ours)
		}
	}
}

// A value of others may be no UTF-8, which the text of a record is.
func TestAValueThatIsNoTextIsGivenBackByteForByte(t *testing.T) {
	const pattern, theirs = "kernel.core_pattern", "/srv/caf\xe9/core.%p"
	w := small(fake.Sysctl("kernel/core_pattern", theirs))
	w.wish(pattern, "core")
	w.must(t)
	w.must(t)
	if w.mutations > 0 {
		t.Errorf("the second run changes %d things", w.mutations)
	}
	w.mustBeAsBefore(t)
}
