package firewalld

import (
	"strings"
	"testing"
)

// An uplink is a word of the table, so that no rule can name what is not there.
func FuzzRoutes(f *testing.F) {
	f.Add("Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\n")
	f.Add("00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0\n")
	f.Fuzz(func(t *testing.T, table string) {
		for _, link := range append(parseRoutes(table), parseRoutes6(table)...) {
			if link == "" || !strings.Contains(table, link) {
				t.Errorf("%q of %q", link, table)
			}
		}
	})
}
