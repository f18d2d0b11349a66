package faults

import (
	"fmt"
	"os"
	"testing"

	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/faults/trace"
	"github.com/hostprofile/hostprofile/test/program"
)

// programVariable hands the program that is tested to the test's run in its sandbox.
const programVariable = "HOSTPROFILE_FAULTS_PROGRAM"

// long: the long form is asked for.
var long = os.Getenv("HOSTPROFILE_FAULTS_LONG") != ""

func TestMain(m *testing.M) {
	trace.Become()
	replay.Become()
	code := m.Run()
	program.RemoveShared()
	os.Exit(code)
}

// tell makes a line that hack/tiers shows.
func tell(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Logf("==> %s", fmt.Sprintf(format, args...))
}

// built returns the program, built once and then handed on by its environment variable.
func built(t *testing.T) string {
	t.Helper()
	if file := os.Getenv(programVariable); file != "" {
		return file
	}
	file, err := program.Shared()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Setenv(programVariable, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
