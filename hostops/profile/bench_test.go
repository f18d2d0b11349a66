package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/profile"
)

// BenchmarkLoad reads a thousand sysctls in four documents.
func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	for d := range 4 {
		fmt.Fprintf(&text, "---\napiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata:\n  name: site-%d\nspec:\n  nodeSelector: {}\n  sysctls:\n", d)
		for i := range 250 {
			fmt.Fprintf(&text, "  - {name: net.ipv4.conf.eth%d.rp_filter, value: 1}\n", d*250+i)
		}
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := profile.Load("bench.yaml", strings.NewReader(text.String())); err != nil {
			b.Fatal(err)
		}
	}
}
