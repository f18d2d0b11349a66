package hostops_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// accepted is a profile of the cluster that wants one value of one key.
func accepted(t *testing.T, name string, priority, swappiness int) hostops.Accepted {
	t.Helper()
	p := site(t, fmt.Sprintf("priority: %d, sysctls: [{name: vm.swappiness, value: %d}]", priority, swappiness))[0]
	p.Name, p.Generation = name, 1
	return hostops.Accepted{UID: "uid-" + name, Profile: p}
}

func held(a hostops.Accepted) hostops.Accepted {
	a.Hold = true
	return a
}

// reconcile is one run of the agent that must succeed.
func reconcile(t *testing.T, h *fake.Host, profiles ...hostops.Accepted) hostops.Reconciled {
	t.Helper()
	rec, err := open(t, h).Reconcile(t.Context(), profiles, hostops.ReconcileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func mustHold(t *testing.T, h *fake.Host, want string) {
	t.Helper()
	if got := value(h, "vm/swappiness"); got != want {
		t.Errorf("swappiness is %s, want %s", got, want)
	}
}

func TestTheClusterStandsOverBootstrapsInput(t *testing.T) {
	h := fake.New()
	up(t, h, "priority: 1000, sysctls: [{name: vm.swappiness, value: 10}]")
	reconcile(t, h, accepted(t, "fleet", -1000, 20))
	mustHold(t, h, "20")
	reconcile(t, h)
	mustHold(t, h, "10")
}

func TestAProfileOfTheClusterReplacesTheOneOfItsName(t *testing.T) {
	h := fake.New()
	was := value(h, "vm/max_map_count")
	up(t, h, "sysctls: [{name: vm.swappiness, value: 10}, {name: vm.max_map_count, value: 262144}]")
	reconcile(t, h, accepted(t, "site", 0, 20))
	mustHold(t, h, "20")
	if got := value(h, "vm/max_map_count"); got != was {
		t.Errorf("max_map_count is %s: a profile is replaced whole", got)
	}
}

func TestAHostWithNothingToDoIsNotWritten(t *testing.T) {
	h := fake.New()
	before := h.String()
	reconcile(t, h)
	if h.String() != before && value(h, "vm/swappiness") == "" {
		t.Error("an agent without profiles changed the host")
	}
	if _, there := h.File(paths.Ledger); there {
		t.Error("an agent without profiles made a ledger")
	}
	reconcile(t, h, accepted(t, "fleet", 0, 20))
	mutations := h.Mutations()
	reconcile(t, h, accepted(t, "fleet", 0, 20))
	if n := h.Mutations() - mutations; n > 0 {
		t.Errorf("the second run changes %d things", n)
	}
}

func TestABootWithoutTheClusterGivesNothingOfItBack(t *testing.T) {
	h := fake.New()
	up(t, h, "sysctls: [{name: vm.max_map_count, value: 262144}]")
	reconcile(t, h, accepted(t, "fleet", 0, 20))
	h.Reboot()
	up(t, h, "")
	mustHold(t, h, "20")
}

func TestAHeldProfileIsNeitherWrittenNorRestored(t *testing.T) {
	h := fake.New()
	fleet := accepted(t, "fleet", 0, 20)
	reconcile(t, h, fleet)
	_ = h.SetSysctl("vm/swappiness", "99")
	rec := reconcile(t, h, held(fleet))
	mustHold(t, h, "99")
	for _, r := range rec.Report.Results() {
		if r.Key == "sysctl/vm.swappiness" && r.Outcome != item.Kept {
			t.Errorf("told as %s", r.Outcome)
		}
	}
	reconcile(t, h, fleet)
	mustHold(t, h, "20")
}

func TestAHeldProfileComesBackAtANewBoot(t *testing.T) {
	h := fake.New(fake.Boots(nil)) // nothing reads our file
	fleet := accepted(t, "fleet", 0, 20)
	reconcile(t, h, fleet)
	reconcile(t, h, held(fleet))
	h.Reboot()
	reconcile(t, h, held(fleet))
	mustHold(t, h, "20")
}

func TestAHeldProfileTakesNoPartInWhatItDoesNotOwn(t *testing.T) {
	h := fake.New()
	reconcile(t, h, held(accepted(t, "fleet", 5, 20)), accepted(t, "other", 1, 30))
	mustHold(t, h, "30")
}

func TestDeletingAHeldProfileGivesBack(t *testing.T) {
	h := fake.New()
	was := value(h, "vm/swappiness")
	fleet := accepted(t, "fleet", 0, 20)
	reconcile(t, h, fleet)
	reconcile(t, h, held(fleet))
	reconcile(t, h)
	mustHold(t, h, was)
}

func TestAConflictKeepsWhatWasAppliedLast(t *testing.T) {
	a, b, low := accepted(t, "a", 1, 20), accepted(t, "b", 1, 30), accepted(t, "low", 0, 40)
	for _, order := range [][]hostops.Accepted{{a, b, low}, {b, a, low}, {low, b, a}} {
		h := fake.New()
		reconcile(t, h, a, low)
		rec := reconcile(t, h, order...)
		mustHold(t, h, "20")
		if len(rec.Conflicts) != 1 || !slices.Equal(rec.Conflicts[0].Profiles, []string{"a", "b"}) {
			t.Errorf("conflicts %+v", rec.Conflicts)
		}
		// Somebody changes it meanwhile: a held key is not repaired.
		_ = h.SetSysctl("vm/swappiness", "99")
		reconcile(t, h, order...)
		mustHold(t, h, "99")
		reconcile(t, h, b, low)
		mustHold(t, h, "30")
	}
}

func TestAConflictOnANewHostFallsToTheLayerBelow(t *testing.T) {
	h := fake.New()
	reconcile(t, h, accepted(t, "a", 1, 20), accepted(t, "b", 1, 30), accepted(t, "low", 0, 40))
	mustHold(t, h, "40")
}

func TestPreviewWritesNothing(t *testing.T) {
	h := fake.New()
	before := h.Mutations()
	report, err := open(t, h).Preview(t.Context(), []hostops.Accepted{accepted(t, "fleet", 0, 20)})
	if err != nil || h.Mutations() != before {
		t.Fatalf("error %v, %d changes", err, h.Mutations()-before)
	}
	for _, r := range report.Results() {
		if r.Key == "sysctl/vm.swappiness" && r.Outcome == item.Changed {
			return
		}
	}
	t.Errorf("the change is not foreseen: %+v", report.Results())
}

func TestADisabledHostIsLeftAlone(t *testing.T) {
	h := fake.New()
	up(t, h, "sysctls: [{name: vm.swappiness, value: 10}]")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	before := h.Mutations()
	_, err := open(t, h).Reconcile(t.Context(), []hostops.Accepted{accepted(t, "fleet", 0, 20)}, hostops.ReconcileOptions{})
	if !errors.Is(err, hostops.ErrDisabled) {
		t.Errorf("error %v", err)
	}
	if n := h.Mutations() - before; n > 1 { // the lock's folder
		t.Errorf("%d changes on a disabled host", n)
	}
}

func TestReportedDriftIsNotRepaired(t *testing.T) {
	h := fake.New()
	fleet := accepted(t, "fleet", 0, 20)
	reconcile(t, h, fleet)
	_ = h.SetSysctl("vm/swappiness", "99")
	rec, err := open(t, h).Reconcile(t.Context(), []hostops.Accepted{fleet}, hostops.ReconcileOptions{Report: func(item.Want) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, h, "99")
	for _, r := range rec.Report.Results() {
		if r.Key == "sysctl/vm.swappiness" && (r.OK() || !r.Drift) {
			t.Errorf("told as %+v", r)
		}
	}
}

// What the cluster wished may be given back while an up waits for the lock: what counts is
// what is there once the lock is had.
func TestAnUpThatWaitedDoesNotApplyWhatWasGivenBackMeanwhile(t *testing.T) {
	h := fake.New()
	up(t, h, "kernelModules: [{name: overlay}]")
	reconcile(t, h, accepted(t, "cluster", 0, 10))
	release, err := h.Machine().Locks.TryLock(paths.RunLock, "a down")
	if err != nil {
		t.Fatal(err)
	}
	h.After(time.Second, func() {
		for _, path := range []string{paths.Accepted, paths.SysctlDropIn, paths.ModulesLoad, paths.Input, paths.Ledger} {
			if err := h.Machine().Files.Remove(path); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		if err := errors.Join(h.SetSysctl("vm/swappiness", "60"), release()); err != nil {
			t.Error(err)
		}
	})
	waits, err := hostops.Open(t.Context(), hostops.Options{Root: "/", Version: "v0.1.0", Machine: h.Machine(), LockTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := waits.Up(t.Context(), site(t, "kernelModules: [{name: overlay}]"), hostops.UpOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := value(h, "vm/swappiness"); got != "60" {
		t.Errorf("vm.swappiness is %s", got)
	}
}
