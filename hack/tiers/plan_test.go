package main

import "testing"

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
