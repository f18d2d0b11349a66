package hostops_test

import (
	"errors"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const theirUnit = "[Service]\nExecStart=/opt/theirs\n\n[Install]\nWantedBy=multi-user.target\n"

// theirs is a host on which somebody has a unit of our name, which boots start.
func theirs(t *testing.T) *fake.Host {
	t.Helper()
	h := booted()
	h.PutFile(paths.UnitFile, theirUnit)
	if err := h.Machine().Units.EnableUnit(t.Context(), paths.Unit); err != nil {
		t.Fatal(err)
	}
	return h
}

func mustBeTheirs(t *testing.T, h *fake.Host) {
	t.Helper()
	u, err := h.Machine().Units.Unit(t.Context(), paths.Unit)
	if err != nil || u.State != machine.UnitEnabled {
		t.Errorf("their unit is %s, %v", u.State, err)
	}
	if got := content(h, paths.UnitFile); got != theirUnit {
		t.Errorf("their unit's file is %q", got)
	}
}

func TestAUnitOfTheirsIsEnabledAgainWhereverDownWasBrokenOff(t *testing.T) {
	for tick := 0; ; tick++ {
		h := theirs(t)
		upWith(t, h, withUnit())
		h.StopAt(tick)
		_, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true})
		died := h.Dead()
		h.StopAt(-1)
		h.Revive()
		if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
		mustBeTheirs(t, h)
		if t.Failed() {
			t.Fatalf("tick %d: %v", tick, err)
		}
		if !died {
			t.Log(tick)
			return
		}
	}
}

func TestAUnitOfTheirsIsEnabledAgainOnceWeInstallNone(t *testing.T) {
	for tick := 0; ; tick++ {
		h := theirs(t)
		upWith(t, h, withUnit())
		h.StopAt(tick)
		_, err := openWith(t, h, withoutUnit()).Up(t.Context(), nil, hostops.UpOptions{})
		died := h.Dead()
		h.StopAt(-1)
		h.Revive()
		if _, err := openWith(t, h, withoutUnit()).Up(t.Context(), nil, hostops.UpOptions{}); err != nil {
			t.Fatal(err)
		}
		mustBeTheirs(t, h)
		if t.Failed() {
			t.Fatalf("tick %d: %v", tick, err)
		}
		if !died {
			return
		}
	}
}

// A give-back of the agent's that has come as far as the unit is called off: a unit of theirs
// that boots did not start they do not start now.
func TestAUnitOfTheirsStaysDisabledOnceAGiveBackIsCalledOff(t *testing.T) {
	for tick := 0; ; tick++ {
		h := booted()
		h.PutFile(paths.UnitFile, theirUnit)
		upWith(t, h, withUnit())
		h.StopAt(tick)
		_, _ = open(t, h).Down(t.Context(), hostops.DownOptions{NodeAsks: true})
		died := h.Dead()
		h.StopAt(-1)
		h.Revive()
		if _, err := open(t, h).Reconcile(t.Context(), nil, hostops.ReconcileOptions{NotAsked: true}); err != nil && !errors.Is(err, hostops.ErrDisabled) {
			t.Fatalf("tick %d: %v", tick, err)
		}
		u, err := h.Machine().Units.Unit(t.Context(), paths.Unit)
		if theirs := content(h, paths.UnitFile) == theirUnit; err != nil || theirs == (u.State == machine.UnitEnabled) {
			t.Fatalf("tick %d: the unit is theirs: %v, and %s, %v", tick, theirs, u.State, err)
		}
		if !died {
			return
		}
	}
}
