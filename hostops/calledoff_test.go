package hostops_test

import (
	"errors"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// An agent that dies while it gives a host back, and is not asked for it any more: boots
// start the unit again, and nothing keeps anybody out. Nobody else may decide that.
func TestAGiveBackThatIsCalledOffLetsTheUnitGoOn(t *testing.T) {
	for at := range 200 {
		h := booted()
		upWith(t, h, withUnit())
		h.StopAt(at)
		if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true, NodeAsks: true}); err == nil {
			return // it ended
		}
		h.Revive()
		if _, begun := h.File(paths.Disabled); !begun {
			continue
		}
		if _, err := open(t, h).Reconcile(t.Context(), nil, hostops.ReconcileOptions{}); !errors.Is(err, hostops.ErrDisabled) {
			t.Fatalf("killed at %d, and somebody who knows nothing goes on: %v", at, err)
		}
		if _, err := open(t, h).Reconcile(t.Context(), nil, hostops.ReconcileOptions{NotAsked: true}); err != nil {
			t.Fatalf("killed at %d: %v", at, err)
		}
		_, unit := h.File(paths.UnitFile)
		enabled, err := open(t, h).UnitEnabled(t.Context())
		if _, suppressed := h.File(paths.NoRestart); enabled != unit || suppressed || err != nil {
			t.Errorf("killed at %d: there %v, enabled %v, kept from starting again %v, %v", at, unit, enabled, suppressed, err)
		}
	}
	t.Error("it never ended")
}
