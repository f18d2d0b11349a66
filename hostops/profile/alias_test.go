package profile_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// TestBothSidesKnowTheSameSecondNames: what is one item on a host is one setting to the
// API, or a profile could wish for it twice.
func TestBothSidesKnowTheSameSecondNames(t *testing.T) {
	for _, second := range sysctl.SecondNames() {
		parsed, err := v1alpha1.ParseSysctlName(string(second))
		if err != nil {
			t.Fatal(err)
		}
		if api, host := parsed.Canonical().String(), sysctl.Key(second).Name(); api != host {
			t.Errorf("%s is %s to the API and %s on a host", second, api, host)
		}
	}
}
