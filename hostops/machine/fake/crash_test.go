package fake_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// program is a run of six mutations, one of each kind that a stage makes.
func program(m *machine.Machine) error {
	_, err := m.Proc.ReadSysctl("vm/swappiness")
	return errors.Join(err,
		m.Files.Write("/etc/a", []byte("a"), 0o644),
		m.Proc.WriteSysctl("vm/swappiness", "10"),
		m.Kernel.LoadModule(context.Background(), "br_netfilter"),
		m.Files.Mkdir("/etc/d", 0o755),
		m.Files.WriteVolatile("/run/b", []byte("b"), 0o600),
		m.Files.Remove("/etc/a"))
}

const mutations = 6

func TestAProgramDiesBetweenAnyTwoMutations(t *testing.T) {
	var states []string
	for tick := range 2*mutations + 1 {
		h := fake.New()
		h.StopAt(tick)
		err := program(h.Machine())
		if dead := tick < 2*mutations; dead != errors.Is(err, fake.ErrDead) || dead != h.Dead() {
			t.Errorf("tick %d: dead %v, error %v", tick, h.Dead(), err)
		}
		states = append(states, h.String())
	}
	for tick := 1; tick < len(states); tick++ {
		// Odd ticks come after a mutation, and so does the even one that follows.
		if same, want := states[tick] == states[tick-1], tick%2 == 0; same != want {
			t.Errorf("ticks %d and %d leave the same: %v", tick-1, tick, same)
		}
	}
}

func TestADeadProcessDoesNothing(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/a", "x")
	m := h.Machine()
	h.Kill()
	before := h.String()
	_, e1 := m.Files.Read("/etc/a")
	_, e2 := m.Files.Lstat("/etc/a")
	_, e3 := m.Files.ReadDir("/etc")
	_, e4 := m.Files.Sweep("/etc/a")
	_, e5 := m.Locks.TryLock("/run/l", "x")
	_, e6 := m.Proc.ReadSysctl("vm/swappiness")
	_, e7 := m.Proc.ReadProc("/proc/swaps")
	_, e8 := m.Proc.ListSysctl("vm")
	_, e9 := m.Network.LinkIndex("lo")
	for i, err := range []error{
		e1, e2, e3, e4, e5, e6, e7, e8, e9,
		m.Files.Write("/etc/a", nil, 0o644), m.Files.Remove("/etc/a"), m.Files.Mkdir("/etc/b", 0o755),
		m.Files.Chmod("/etc", 0o700), m.Files.Rmdir("/etc/sysctl.d"), m.Proc.WriteSysctl("vm/swappiness", "1"),
		m.Kernel.LoadModule(t.Context(), "overlay"), m.Kernel.SwapOff(t.Context(), "/swap"), m.Kernel.SwapOn("/swap", 0),
		m.Clock.Sleep(t.Context(), time.Second),
	} {
		if !errors.Is(err, fake.ErrDead) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if h.String() != before {
		t.Error("it did something")
	}
	h.Revive()
	if err := m.Files.Remove("/etc/a"); err != nil {
		t.Errorf("after Revive: %v", err)
	}
}

func TestLocksEndWithTheirProcess(t *testing.T) {
	h := fake.New()
	other := h.Start()
	release, err := h.Machine().Locks.TryLock("/run/l", "first")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Machine().Locks.TryLock("/run/l", "other"); err == nil {
		t.Fatal("locked twice")
	}
	h.Kill()
	if _, err := other.Machine().Locks.TryLock("/run/l", "other"); err != nil {
		t.Fatalf("after the death: %v", err)
	}
	h.Revive()
	if err := release(); err != nil {
		t.Fatal(err)
	}
	var busy *machine.BusyError
	if _, err := h.Machine().Locks.TryLock("/run/l", "again"); !errors.As(err, &busy) || busy.Holder != "other" {
		t.Errorf("the dead process's release ended another's lock: %v", err)
	}
	other.Kill()
	h.Revive()
	if _, err := h.Machine().Locks.TryLock("/run/l", "again"); err != nil {
		t.Error(err)
	}
}

func TestOneProcessDiesAlone(t *testing.T) {
	h := fake.New()
	agent := h.Start().Machine()
	h.StopAt(0)
	if err := agent.Proc.WriteSysctl("vm/swappiness", "1"); !errors.Is(err, fake.ErrDead) {
		t.Errorf("the one that made the step: %v", err)
	}
	if err := h.Machine().Proc.WriteSysctl("vm/swappiness", "2"); err != nil {
		t.Errorf("the other one: %v", err)
	}
}

func TestTheWorldMovesBetweenTwoSteps(t *testing.T) {
	h := fake.New()
	m := h.Machine()
	var ticks []int
	h.OnStep(func(tick int) {
		ticks = append(ticks, tick)
		if tick == 1 {
			if err := h.SetSysctl("vm/swappiness", "33"); err != nil {
				t.Error(err)
			}
			h.AddLink("x0")
		}
	})
	if err := m.Proc.WriteSysctl("vm/swappiness", "10"); err != nil {
		t.Fatal(err)
	}
	if got, _ := m.Proc.ReadSysctl("vm/swappiness"); got != "33" {
		t.Errorf("reads %s", got)
	}
	if _, err := m.Network.LinkIndex("x0"); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(ticks) != "[0 1]" {
		t.Errorf("ticks %v", ticks)
	}
}

func TestOnlyChangesAreMutations(t *testing.T) {
	h := fake.New()
	m := h.Machine()
	h.KeepLog()
	for range 2 {
		_ = m.Files.Write("/etc/a", []byte("x"), 0o644)
		_ = m.Kernel.LoadModule(t.Context(), "overlay")
		_, _ = m.Files.Read("/etc/a")
		_, _ = m.Proc.ReadSysctl("vm/swappiness")
		release, err := m.Locks.TryLock("/run/l", "x")
		if err != nil {
			t.Fatal(err)
		}
		_ = release()
	}
	_ = m.Proc.WriteSysctl("vm/swappiness", "60")
	_ = m.Proc.WriteSysctl("none", "60")
	_ = m.Files.Remove("/etc/none")
	h.PutFile("/etc/theirs", "x")
	_ = h.SetSysctl("vm/swappiness", "1")
	want := "[{write /etc/a x} {modprobe overlay } {sysctl vm/swappiness 60}]"
	if got := fmt.Sprint(h.Log()); got != want || h.Mutations() != 3 {
		t.Errorf("%d mutations: %s", h.Mutations(), got)
	}
}
