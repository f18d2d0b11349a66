package hostops_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestAMissingModuleIsSkippedWhereTheProfileSaysSo(t *testing.T) {
	for spec, want := range map[string]item.Outcome{
		"kernelModules: [{name: no_such_module, ifMissing: Skip}]": item.Skipped,
		"kernelModules: [{name: no_such_module}]":                  item.Failed,
	} {
		h := fake.New()
		for range 2 {
			r := up(t, h, spec)
			for _, res := range r.Results() {
				if res.Key == "kmod/no_such_module" && (res.Outcome != want || res.Reason != "ModuleUnavailable") {
					t.Errorf("%s: %s, %s", spec, res.Outcome, res.Reason)
				}
			}
		}
	}
}
