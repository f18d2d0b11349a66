package contention_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/contention"
	"github.com/hostprofile/hostprofile/hostops/item"
)

const key item.Key = "sysctl/net.netfilter.nf_conntrack_max"

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// war is somebody who sets a key back at intervals, and us with a look at the host every
// minute and whenever they write.
type war struct {
	fights  contention.Fights
	now     time.Time
	foreign bool // their value is live
	repairs int
}

func (w *war) look() {
	r := item.Result{Key: key, Outcome: item.Right, Have: item.Text("262144"), Want: item.Text("262144"), Now: item.Text("262144")}
	if w.foreign {
		r.Have, r.Drift = item.Text("524288"), true
		r.Outcome = item.Changed
		if w.fights.Waits(key, w.now) {
			r.Outcome, r.Now = item.Failed, r.Have
		} else {
			w.foreign = false
			w.repairs++
		}
	}
	w.fights.Observe([]item.Result{r}, w.now)
}

// rage lets them write every so often for a while.
func (w *war) rage(every, long time.Duration) {
	end, next := w.now.Add(long), w.now.Add(every)
	for w.now.Before(end) {
		w.now = w.now.Add(time.Second)
		if !w.now.Before(next) {
			w.foreign, next = true, w.now.Add(every)
			w.look()
		} else if w.now.Second() == 0 {
			w.look()
		}
	}
}

func (w *war) contended() bool { return len(w.fights.Contended()) > 0 }

func TestTwoChangesAreNoFight(t *testing.T) {
	w := &war{now: start}
	w.rage(4*time.Minute, 9*time.Minute)
	if w.contended() || w.repairs != 2 {
		t.Errorf("contended %v, %d repairs", w.contended(), w.repairs)
	}
}

func TestThreeChangesInTenMinutesAreAFight(t *testing.T) {
	w := &war{now: start}
	w.rage(4*time.Minute, 12*time.Minute)
	if !w.contended() {
		t.Error("not contended")
	}
}

func TestRareChangesAreNoFight(t *testing.T) {
	w := &war{now: start}
	w.rage(6*time.Minute, 5*time.Hour)
	if w.contended() {
		t.Error("contended")
	}
}

func TestAFightIsRepairedLessAndLessOften(t *testing.T) {
	w := &war{now: start}
	w.rage(time.Second, 3*time.Second)
	for _, minutes := range []int{1, 2, 4, 8, 16, 30, 30} {
		last := w.repairs
		w.rage(time.Second, time.Duration(minutes)*time.Minute-5*time.Second)
		if w.repairs != last {
			t.Errorf("repaired within %d minutes", minutes)
		}
		for range 10 {
			if w.repairs == last {
				w.rage(time.Second, time.Second)
			}
		}
		if w.repairs == last {
			t.Errorf("not repaired after %d minutes", minutes)
		}
	}
}

func TestAFightSticksForAnHour(t *testing.T) {
	w := &war{now: start}
	w.rage(time.Minute, 5*time.Minute)
	w.rage(2*time.Hour, time.Hour-time.Minute) // they write no more
	if !w.contended() {
		t.Error("over before an hour")
	}
	w.rage(2*time.Hour, 5*time.Minute)
	if w.contended() {
		t.Error("still contended after an hour")
	}
}

func TestATimerOfHalfAnHourDoesNotFlap(t *testing.T) {
	w := &war{now: start}
	w.rage(time.Minute, 5*time.Minute)
	for range 20 {
		w.rage(30*time.Minute, 30*time.Minute)
		if !w.contended() {
			t.Fatal("not contended between two changes")
		}
	}
	f := w.fights.Contended()[0]
	if got := f.Message(); !strings.Contains(got, "about every 30m") || !strings.Contains(got, "timer") ||
		!strings.Contains(got, "kube-proxy") || !strings.Contains(got, "524288") || !strings.Contains(got, "262144") {
		t.Errorf("message %q", got)
	}
}

func TestThePeriodIsTheirsAndNotThatOfOurRepairs(t *testing.T) {
	w := &war{now: start}
	w.rage(10*time.Second, 5*time.Hour)
	if f := w.fights.Contended()[0]; f.Period != 10*time.Second {
		t.Errorf("period %s", f.Period)
	}
}

func TestAMessageStaysTheSame(t *testing.T) {
	w := &war{now: start}
	w.rage(7*time.Minute, 3*time.Minute)
	w.rage(2*time.Minute, 10*time.Minute)
	f := w.fights.Contended()[0]
	first := f.Message()
	for range 5 {
		w.rage(2*time.Minute+3*time.Second, 4*time.Minute+6*time.Second)
	}
	f = w.fights.Contended()[0]
	if f.Message() != first {
		t.Errorf("%q became %q", first, f.Message())
	}
}

func TestSomebodyWhoWritesBetweenWriteAndReadBackFights(t *testing.T) {
	var f contention.Fights
	for i := range 3 {
		f.Observe([]item.Result{{Key: key, Outcome: item.Failed, Reason: "ReadBackMismatch", Now: item.Text("1")}}, start.Add(time.Duration(i)*time.Minute))
		f.Observe([]item.Result{{Key: key, Outcome: item.Right}}, start.Add(time.Duration(i)*time.Minute+time.Second))
	}
	if len(f.Contended()) != 1 {
		t.Error("not contended")
	}
}

func TestNextIsTheEndOfTheBackOffThenOfTheFight(t *testing.T) {
	w := &war{now: start}
	w.rage(time.Second, 3*time.Second)
	at := w.now
	if got := w.fights.Next(w.now); !got.Equal(at.Add(contention.FirstWait)) {
		t.Errorf("next %s", got)
	}
	if got := w.fights.Next(at.Add(contention.FirstWait)); !got.Equal(at.Add(contention.Peace)) {
		t.Errorf("then %s", got)
	}
}

// An interface goes while somebody's value stands on it, and there are a thousand more.
func TestWhatIsNotWishedAnyMoreIsForgotten(t *testing.T) {
	var f contention.Fights
	now := start
	for i := range 3 {
		now = now.Add(time.Minute)
		f.Observe([]item.Result{{Key: key, Outcome: item.Failed, Drift: true, Have: item.Text(string(rune('1' + i))), Want: item.Text("262144")}}, now)
	}
	if len(f.Contended()) != 1 {
		t.Fatal("no fight")
	}
	for range 61 {
		now = now.Add(time.Minute)
		f.Observe(nil, now)
	}
	if got := f.Contended(); len(got) > 0 {
		t.Errorf("after an hour without the key it is %+v", got)
	}
}
