package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// TestTheFirstBootOwnsAnImageThatHasNothingToDo: whose record it is must not depend on whether
// there was anything to change.
func TestTheFirstBootOwnsAnImageThatHasNothingToDo(t *testing.T) {
	for name, o := range ways {
		h := imageHost()
		if _, err := openImage(t, h, o).Up(t.Context(), site(t, "swap: Keep"), hostops.UpOptions{}); err != nil {
			t.Fatal(err)
		}
		c := clone(h)
		prepared := func() bool {
			st, err := open(t, c).Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return st.Prepared
		}
		if !prepared() {
			t.Errorf("%s: before its first run the clone does not know what it is", name)
		}
		firstBoot(t, c)
		if prepared() || !strings.Contains(content(c, paths.Ledger), strings.TrimSpace(machineTwo)) {
			t.Errorf("%s: the record is\n%s", name, content(c, paths.Ledger))
		}
		mutations := c.Mutations()
		firstBoot(t, c)
		if n := c.Mutations() - mutations; n > 0 {
			t.Errorf("%s: the second run writes %d times", name, n)
		}
	}
}
