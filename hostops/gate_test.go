package hostops_test

import (
	"strings"
	"testing"
)

// Who switches the unit off wants a kubelet that starts without it, and not one that waits
// for ever at a gate that nobody opens.
func TestAUnitThatIsSwitchedOffHoldsUpNobody(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	for _, boot := range []struct {
		before func(t *testing.T)
		open   bool
	}{
		{func(*testing.T) {}, false},
		{func(t *testing.T) {
			if err := open(t, h).DisableUnit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		boot.before(t)
		h.Reboot()
		g, err := open(t, h).AwaitGate(t.Context(), 0)
		if err != nil || g.Open != boot.open || g.Open && !strings.Contains(g.Message, "switched off") {
			t.Errorf("%+v, %v; want open %v", g, err, boot.open)
		}
	}
}
