package main

import (
	"testing"
	"time"
)

func TestVersionsAreSpelledAsPackagesDo(t *testing.T) {
	date := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for described, want := range map[string]string{
		"v1.2.3":                  "1.2.3",
		"1.2.3":                   "1.2.3",
		"v1.2.3-dirty":            "1.2.3^dirty",
		"v1.2.3-4-g1a26372":       "1.2.3^4.g1a26372",
		"v1.2.3-4-g1a26372-dirty": "1.2.3^4.g1a26372.dirty",
		"v1.2.3-rc.1":             "1.2.3~rc.1",
		"v1.2.3-rc-1":             "1.2.3~rc.1",
		"v1.2.3-rc.1-dirty":       "1.2.3~rc.1^dirty",
		"v1.2.3-rc.1-12-g1a26372": "1.2.3~rc.1^12.g1a26372",
		"v0.1.0-dev":              "0.1.0~dev",
		"1a26372":                 "0.0.0^20260304050607.g1a26372",
		"1a26372-dirty":           "0.0.0^20260304050607.g1a26372.dirty",
		"1234567":                 "0.0.0^20260304050607.g1234567",
		"release-1.2":             "release~1.2",
	} {
		if got := spell(described, "^", date); got != want {
			t.Errorf("%s is %s, want %s", described, got, want)
		}
	}
}
