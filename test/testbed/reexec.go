package testbed

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// insideVariable tells a re-run test that it is in its sandbox.
const insideVariable = "HOSTPROFILE_TESTBED_SANDBOX"

// Reexec runs the calling test again in a sandbox and reports true when that
// run has ended and its result has been taken over: the caller returns then.
// In the sandbox it reports false, and the caller goes on with its test.
//
//	func TestX(t *testing.T) {
//		if testbed.Reexec(t, testbed.SandboxOptions{}) {
//			return
//		}
//		...
//	}
//
// Without root the test is skipped.
func Reexec(t *testing.T, o SandboxOptions) bool {
	t.Helper()
	if os.Getenv(insideVariable) == t.Name() {
		return false
	}
	unavailable(t, needRoot())
	sandbox, err := NewSandbox(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sandbox.Close(); err != nil {
			t.Error(err)
		}
	}()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	result, err := sandbox.Run(t.Context(), rerun(t, self)...)
	if err != nil {
		t.Fatal(err)
	}
	takeOver(t, result)
	return true
}

// rerun is the command line that runs only the calling test.
func rerun(t *testing.T, self string) []string {
	var pattern []string
	for name := range strings.SplitSeq(t.Name(), "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(name)+"$")
	}
	argv := []string{"env", insideVariable + "=" + t.Name(), self}
	argv = append(argv, "-test.run="+strings.Join(pattern, "/"), "-test.v", "-test.count=1")
	if deadline, ok := t.Deadline(); ok {
		argv = append(argv, "-test.timeout="+time.Until(deadline).String())
	}
	if testing.Short() {
		argv = append(argv, "-test.short")
	}
	return argv
}

// takeOver gives t the outcome of its run in the sandbox.
func takeOver(t *testing.T, result Result) {
	t.Helper()
	report := strings.TrimSpace(result.Stdout + result.Stderr)
	switch {
	case result.ExitCode != 0:
		t.Fatalf("in the sandbox:\n%s", report)
	case strings.Contains(result.Stdout, "--- SKIP: "+t.Name()+" "):
		t.Skipf("in the sandbox:\n%s", report)
	case !strings.Contains(result.Stdout, "--- PASS: "+t.Name()+" "):
		t.Fatalf("the test did not run in the sandbox:\n%s", report)
	default:
		t.Logf("in the sandbox:\n%s", report)
	}
}
