package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// events makes the stream of `go test -json`.
func events(t *testing.T, all ...testEvent) string {
	t.Helper()
	var b strings.Builder
	for _, e := range all {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, string(line))
	}
	return b.String()
}

func said(pkg, test, output string) testEvent {
	return testEvent{Action: "output", Package: pkg, Test: test, Output: output}
}

// timeout is what `go test -json` tells of a package whose time is over: two tests run, one
// has passed, and the dump is told as the output of the one that printed last.
func timeout(goroutines int) []testEvent {
	stream := []testEvent{
		said("slow", "TestQuick", "    a_test.go:4: quick\n"),
		{Action: "pass", Package: "slow", Test: "TestQuick"},
		said("slow", "TestWaits", "    a_test.go:5: waits for the bus\n"),
		said("other", "TestGoesOn", "    b_test.go:1: goes on\n"),
		said("slow", "TestAlso", "    a_test.go:6: also waits\n"),
		said("slow", "TestAlso", "panic: test timed out after 1s\n"),
		said("slow", "TestAlso", "\trunning tests:\n"),
		said("slow", "TestAlso", "\t\tTestWaits (1s)\n"),
	}
	for n := range goroutines {
		stream = append(stream, said("slow", "TestAlso", fmt.Sprintf("goroutine %d [select]:\n", n)))
	}
	return append(stream,
		said("slow", "", "FAIL\tslow\t1.007s\n"),
		testEvent{Action: "fail", Package: "slow"},
		testEvent{Action: "pass", Package: "other", Test: "TestGoesOn"},
		testEvent{Action: "pass", Package: "other"})
}

func TestATestThatDidNotEndIsShown(t *testing.T) {
	var r results
	var out strings.Builder
	if err := r.read(strings.NewReader(events(t, timeout(1000)...)), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"!!! TestWaits did not end\n    a_test.go:5: waits for the bus\n",
		"!!! TestAlso did not end\n    a_test.go:6: also waits\npanic: test timed out",
		"running tests:\n\t\tTestWaits (1s)\ngoroutine 0 [select]",
		"... and 803 lines more\n",
		"FAIL\tslow",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told in:\n%s", want, out.String())
		}
	}
	for _, much := range []string{"quick", "goes on", "goroutine 999"} {
		if strings.Contains(out.String(), much) {
			t.Errorf("%q is told", much)
		}
	}
	if r.failed != 1 || r.passed != 2 {
		t.Errorf("%d failed, %d passed", r.failed, r.passed)
	}
}

func TestAShortDumpIsShownWhole(t *testing.T) {
	var r results
	var out strings.Builder
	if err := r.read(strings.NewReader(events(t, timeout(3)...)), &out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "goroutine 2") || strings.Contains(text, "lines more") {
		t.Error(text)
	}
}

func TestAFailedTestIsShownOnce(t *testing.T) {
	var r results
	var out strings.Builder
	stream := events(t,
		said("p", "TestBad", "    a_test.go:4: bad\n"),
		testEvent{Action: "fail", Package: "p", Test: "TestBad"},
		testEvent{Action: "fail", Package: "p"})
	if err := r.read(strings.NewReader(stream), &out); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "bad") != 1 || strings.Contains(out.String(), "did not end") {
		t.Error(out.String())
	}
}
