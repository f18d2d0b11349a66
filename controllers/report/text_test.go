package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// A report is applied as YAML, of which some characters can be no part, quoted or not. What
// a host says may have any.
func TestWhateverAHostSaysCanBeApplied(t *testing.T) {
	for _, odd := range []string{"\x00", "\x1b[31m", "\x7f", "\u0080", "\u009b", "\ufeff", "\ufffe", "\uffff", "\u2028", "\xff"} {
		s := situation(t, fake.New(), accepted(t, "site", "sysctls: [{name: vm.swappiness, value: 10}]"))
		s.Facts.OS.PrettyName, s.Facts.Kernel.Raw = "a"+odd+"b", "5.10"+odd
		r := report.Of(s)
		text, err := json.Marshal(r.Status)
		if err != nil {
			t.Fatal(err)
		}
		var back v1alpha1.HostReport
		if err := yaml.Unmarshal(text, &back); err != nil {
			t.Errorf("%q: %v", odd, err)
		}
		if !report.Same(&r.Status, &back) {
			t.Errorf("%q is read back otherwise: %q", odd, back.Facts.OS)
		}
	}
}

func TestTheKeyOfTheLastDriftFits(t *testing.T) {
	s := situation(t, fake.New())
	s.Drift.Repaired, s.Drift.LastKey = 1, "dir//opt/"+strings.Repeat("a", v1alpha1.MaxDirectoryPath-len("/opt/"))
	if n := len(report.Of(s).Status.Drift.LastKey); n == 0 || n > v1alpha1.MaxKeyLength {
		t.Errorf("%d bytes", n)
	}
}
