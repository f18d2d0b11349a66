package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestLongTiersAreRunOnlyByName(t *testing.T) {
	all, err := choose(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range all {
		if tier.long {
			t.Errorf("%s is run without being named", tier.name)
		}
	}
	if named, err := choose([]string{"soak", "race"}); err != nil || len(named) != 2 || named[0].name != "soak" {
		t.Errorf("%+v, %v", named, err)
	}
}

// A package whose tests no tier runs is not tested.
func TestEveryPackageWithTestsIsInATier(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}./{{.ImportPath}}{{end}}", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all, err := choose(nil)
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(strings.ReplaceAll(string(out), "github.com/hostprofile/hostprofile/", ""))
	if len(packages) < 30 {
		t.Fatalf("only %q", packages)
	}
	for _, p := range packages {
		if !tested(all, p) {
			t.Errorf("no tier runs the tests of %s", p)
		}
	}
}

// measured are the benchmarks, which make runs.
const measured = "./test/bench"

func tested(all []tier, pkg string) bool {
	for _, t := range all {
		for _, s := range t.steps {
			for _, arg := range s.argv {
				below, all := strings.CutSuffix(arg, "/...")
				if s.test && (pkg == below || all && strings.HasPrefix(pkg, below+"/")) {
					return true
				}
			}
		}
	}
	return pkg == measured
}
