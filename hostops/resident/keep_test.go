package resident_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestDriftIsRepairedAndLogged(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.swappiness", "10")).boot()
	_ = w.host.SetSysctl(swappiness, "60")
	w.step(hostops.CauseDrift).is(swappiness, "10")
	if text := w.log.String(); !strings.Contains(text, "changed sysctl/vm.swappiness from 60 to 10") || !strings.Contains(text, "cause=drift") {
		t.Errorf("log %s", text)
	}
}

func TestAnAgentThatKeepsTheHostIsLeftToIt(t *testing.T) {
	w := newWorld(t, fake.Boots(nil))
	w.up(sysctl("vm.swappiness", "10"))
	w.host.Reboot()
	agent := w.host.Start()
	h, err := hostops.Open(t.Context(), hostops.Options{Machine: agent.Machine(), Version: "test", Holder: "manager agent, pid 7"})
	if err != nil {
		t.Fatal(err)
	}
	release, err := h.LockAgent()
	if err != nil {
		t.Fatal(err)
	}
	w.start().step().is(swappiness, "60").ready(false, "kubelet is waiting for vm.swappiness: is 60, want 10 (kept by manager agent, pid 7)")
	if by, note, err := w.open("bootstrap status").Kept(); by != hostops.Agent || note != "manager agent, pid 7" || err != nil {
		t.Errorf("kept by %s, %q, %v", by, note, err)
	}
	_ = w.host.SetSysctl(swappiness, "10")
	w.step().ready(true, "kept by manager agent, pid 7") // it holds, whoever set it
	_ = w.host.SetSysctl(swappiness, "60")
	if w.step().is(swappiness, "60"); w.again.Sub(w.now) != 10*time.Second {
		t.Errorf("the agent's lock is tried again after %v", w.again.Sub(w.now))
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	w.step().is(swappiness, "10")
	if by, note, err := w.open("bootstrap status").Kept(); by != hostops.Resident || note != "bootstrap run, pid 1" || err != nil {
		t.Errorf("kept by %s, %q, %v", by, note, err)
	}
	if _, err = h.LockAgent(); err != nil {
		t.Errorf("an agent cannot have its lock between two turns: %v", err)
	}
}

func TestDuringATurnTheResidentHasTheAgentsLockToo(t *testing.T) {
	w := newWorld(t)
	h := w.up(sysctl("vm.swappiness", "10")).open("bootstrap run, pid 8")
	for _, lock := range []func() (func() error, error){h.LockResident, h.LockAgent} {
		if _, err := lock(); err != nil {
			t.Fatal(err)
		}
	}
	if by, note, err := h.Kept(); by != hostops.Resident || note != "bootstrap run, pid 8" || err != nil {
		t.Errorf("kept by %s, %q, %v", by, note, err)
	}
}

func TestASecondResidentWaitsForTheFirst(t *testing.T) {
	w := newWorld(t, fake.Boots(nil))
	w.up(sysctl("vm.swappiness", "10"))
	w.host.Reboot()
	first := w.open("bootstrap run, pid 8")
	if _, err := first.LockResident(); err != nil {
		t.Fatal(err)
	}
	w.start().step().is(swappiness, "60")
	if len(w.told) != 1 || !strings.Contains(w.told[0], "bootstrap run, pid 8") || w.again.IsZero() {
		t.Errorf("told %q", w.told)
	}
}

func TestSomebodyWhoFightsIsLeftAloneAsByTheAgent(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.swappiness", "10")).boot()
	repairs := 0
	for range 60 { // ten minutes in which somebody sets it every ten seconds
		w.now = w.now.Add(10 * time.Second)
		_ = w.host.SetSysctl(swappiness, "60")
		if w.step(hostops.CauseDrift); w.again.IsZero() && repairs > 3 {
			t.Error("it does not come back to a fight")
		}
		if got, _ := w.host.Sysctl(swappiness); got == "10" {
			repairs++
		}
	}
	if repairs < 4 || repairs > 7 {
		t.Errorf("%d repairs in ten minutes", repairs)
	}
}

func TestDriftOfAProfileThatReportsIsToldAndLeft(t *testing.T) {
	w := newWorld(t, fake.Boots(nil))
	w.up("driftPolicy: Report, " + sysctl("vm.swappiness", "10"))
	w.boot().is(swappiness, "10").ready(true, "") // a boot is no drift
	_ = w.host.SetSysctl(swappiness, "60")
	w.step(hostops.CauseDrift).is(swappiness, "60").ready(true, "vm.swappiness: is 60, want 10")
}

func TestAnEndInTheMiddleOfATurnSaysNothingMore(t *testing.T) {
	w := newWorld(t, fake.Boots(nil))
	w.up(sysctl("vm.swappiness", "10"))
	w.host.Reboot()
	w.start()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.resident.Step(ctx, keep.Ring{Causes: map[string]bool{keep.CauseStart: true}})
	if len(w.told) > 0 || w.open("bootstrap gate").Gate().Open {
		t.Errorf("told %q", w.told)
	}
	w.is(swappiness, "60")
}

func TestARestartIsReadyBeforeItsFirstTurn(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.swappiness", "10")).boot()
	w.start()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.resident.Run(ctx); err != nil || len(w.told) != 2 || w.told[0] != "READY=1" || w.told[1] != "STOPPING=1" {
		t.Errorf("told %q, %v", w.told, err)
	}
}

func TestASignalEndsARunThatWaits(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.overcommit_memory", "1"))
	w.host.FailSysctlWrite(overcommit, machine.ErrInvalid)
	w.host.Reboot()
	w.start()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.resident.Run(ctx) }()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestWhatBootstrapDoesIsNoticedAtOnce(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.swappiness", "10"))
	watcher := w.open("bootstrap run").Watcher()
	noticed := func(do func()) bool {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		told := false
		w.host.After(1500*time.Millisecond, do)
		w.host.After(20*time.Second, cancel)
		if err := watcher.Run(ctx, func(cause string) { told = told || cause == hostops.CauseInput }); err != nil {
			t.Error(err)
		}
		return told
	}
	down := func() {
		if _, err := w.open("bootstrap down").Down(t.Context(), hostops.DownOptions{}); err != nil {
			t.Error(err)
		}
	}
	for what, do := range map[string]func(){
		"another input": func() { w.up(sysctl("vm.swappiness", "20")) },
		"down":          down,
		"up after down": func() { down(); w.up(sysctl("vm.swappiness", "10")) },
	} {
		if !noticed(do) {
			t.Errorf("%s is not noticed", what)
		}
	}
	if noticed(func() {}) {
		t.Error("something is noticed where nothing happens")
	}
}
