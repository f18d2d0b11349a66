package testbed

import "testing"

func TestFailuresAreWhatFailingTestsPrinted(t *testing.T) {
	const output = `=== RUN   TestRight
    right_test.go:7: needs nothing
--- PASS: TestRight (0.00s)
=== RUN   TestWrong
=== RUN   TestWrong/one
    wrong_test.go:12: 1, want 2
=== RUN   TestWrong/two
--- FAIL: TestWrong (0.10s)
    --- FAIL: TestWrong/one (0.05s)
    --- PASS: TestWrong/two (0.05s)
FAIL
`
	const want = `--- FAIL: TestWrong (0.10s)
    wrong_test.go:12: 1, want 2
    --- FAIL: TestWrong/one (0.05s)
`
	if got := Failures(output); got != want {
		t.Errorf("%s", got)
	}
	for _, whole := range []string{"", "panic: no test has a name\n"} {
		if got := Failures(whole); got != whole {
			t.Errorf("of %q it is %q", whole, got)
		}
	}
}
