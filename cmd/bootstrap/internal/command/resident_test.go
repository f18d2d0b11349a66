package command_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/service"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// reside lets 'bootstrap run' run until it told the init system so.
func (w *world) reside(until string) (status string) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	end := time.AfterFunc(time.Minute, cancel)
	defer end.Stop()
	told := false
	w.ctx, w.service = ctx, service.Voice{
		Log: slog.DiscardHandler, Console: func(string) {},
		Notify: func(s string) {
			if text, ok := strings.CutPrefix(s, "STATUS="); ok {
				status = text
			}
			if strings.HasPrefix(s, until) {
				told = true
				cancel()
			}
		},
	}
	if a := w.run("run"); a.code != exit.OK || a.stdout+a.stderr != "" || !told {
		w.t.Errorf("run ends with %d, told %v: %s%s", a.code, told, a.stdout, a.stderr)
	}
	w.ctx = w.t.Context()
	return status
}

func TestTheGateAsksTheResident(t *testing.T) {
	w := newWorld(t)
	w.must(exit.OK, "up", "--profile", "kubelet-defaults")
	if a := w.must(exit.Failed, "gate"); !strings.Contains(a.stdout, "hostprofile.service has not looked at this host in this boot") {
		t.Errorf("says %s", a.stdout)
	}
	w.host.FailSysctlWrite("kernel/panic", machine.ErrInvalid)
	if err := w.host.SetSysctl("kernel/panic", "7"); err != nil {
		t.Fatal(err)
	}
	status := w.reside("STATUS=kubelet")
	if want := "kubelet is waiting for kernel.panic: is 7, want 10"; !strings.HasPrefix(status, want) {
		t.Errorf("status %q, want %q", status, want)
	}
	if a := w.must(exit.Failed, "gate", "--wait", "1s"); a.stderr != "" || a.stdout != status+"\n" {
		t.Errorf("the gate says %q, want %q", a.stdout, status)
	}
	w.host.EndFaults()
	w.reside("STATUS=preparing the host: swap")
	w.reside("READY=1")
	if a := w.must(exit.OK, "gate"); a.stdout+a.stderr != "" {
		t.Errorf("an open gate says %s%s", a.stdout, a.stderr)
	}
	w.must(exit.OK, "down", "--yes")
	w.must(exit.OK, "gate")
}

func TestStatusSaysWhoRepairs(t *testing.T) {
	w := newWorld(t)
	w.must(exit.OK, "up", "--profile", "kubelet-defaults")
	repaired := func(text, by string) {
		t.Helper()
		if a := w.must(exit.OK, "status"); !strings.Contains(a.stdout, "hold. Repaired by: "+text+".\n") {
			t.Errorf("want %q in %s", text, a.stdout)
		}
		summary := w.must(exit.OK, "status", "-o", "json").document(t)["summary"].(map[string]any)
		if got := summary["repairedBy"].(map[string]any)["by"]; got != by {
			t.Errorf("repaired by %v, want %s", got, by)
		}
	}
	repaired("nobody", "nobody")
	other := w.host.Machine()
	unit, err := other.Locks.TryLock("/run/hostprofile/resident.lock", "bootstrap run, pid 812")
	if err != nil {
		t.Fatal(err)
	}
	repaired("hostprofile.service (pid 812)", "resident")
	agent, err := other.Locks.TryLock("/run/hostprofile/agent.lock", "manager agent, pid 2211")
	if err != nil {
		t.Fatal(err)
	}
	repaired("the agent (pid 2211)", "agent")
	if err := agent(); err != nil {
		t.Fatal(err)
	}
	if err := unit(); err != nil {
		t.Fatal(err)
	}
	repaired("nobody", "nobody")
}

func TestOnlyRootResides(t *testing.T) {
	w := newWorld(t)
	w.user = true
	w.must(exit.NotRoot, "run")
}
