package testbed

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"testing"
)

// Settings of a test run, by environment variable.
const (
	// keepVariable keeps the host of a failed test until an interrupt.
	keepVariable = "KEEP"

	// requireVariable makes a failure of every test that would be skipped
	// because the machine cannot run it.
	requireVariable = "HOSTPROFILE_TESTBED_REQUIRE"
)

// StartContainer boots a container for a test and removes it after the test.
// The test is skipped with -short and where the machine cannot make one.
func StartContainer(t testing.TB, o ContainerOptions) *Container {
	t.Helper()
	available(t, ContainerKind)
	c, err := NewContainer(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	stopAfter(t, c, c.Console)
	return c
}

// StartVM boots a virtual machine for a test and removes it after the test. The
// test is skipped with -short and where the machine cannot make one.
func StartVM(t testing.TB, o VMOptions) *VM {
	t.Helper()
	available(t, VMKind)
	vm, err := NewVM(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	stopAfter(t, vm, vm.Console)
	return vm
}

// Output runs argv on the host and returns what it printed, without space at
// its ends. The test fails at once if argv does not end with status 0.
func Output(t testing.TB, host Host, argv ...string) string {
	t.Helper()
	result, err := host.Run(t.Context(), argv...)
	if err := check(result, err, argv...); err != nil {
		t.Fatalf("on %s: %v", host.Name(), err)
	}
	return strings.TrimSpace(result.Stdout)
}

// available skips the test where no host of the kind can be made.
func available(t testing.TB, kind Kind) {
	t.Helper()
	if testing.Short() {
		t.Skipf("boots a %s: not with -short", kind)
	}
	unavailable(t, Missing(kind))
}

// unavailable skips the test for a reason, if there is one.
func unavailable(t testing.TB, reason error) {
	t.Helper()
	switch {
	case reason == nil:
	case os.Getenv(requireVariable) != "":
		t.Fatal(reason)
	default:
		t.Skip(reason)
	}
}

// stopAfter ends the host with the test. Of a failed test it shows the console
// and, with KEEP=1, leaves the host to a person first.
func stopAfter(t testing.TB, host Host, console func() string) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("console of %s:\n%s", host.Name(), tail(console(), 4000))
		}
		if t.Failed() && os.Getenv(keepVariable) != "" {
			waitForPerson(host)
		}
		// The test's own context has ended by now.
		if err := host.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("stop %s: %v", host.Name(), err)
		}
	})
}

func waitForPerson(host Host) {
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	defer signal.Stop(interrupt)
	fmt.Fprintf(os.Stderr, "%s is kept. Log in with:\n  %s\nInterrupt to remove it.\n", host.Name(), host.Login())
	<-interrupt
}
