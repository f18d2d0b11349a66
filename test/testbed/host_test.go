package testbed_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// What must hold of every kind of host.

func reportsExitCodes(t *testing.T, host testbed.Host) {
	result, err := host.Run(t.Context(), "sh", "-c", "echo out; echo err >&2; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if want := (testbed.Result{Stdout: "out\n", Stderr: "err\n", ExitCode: 3}); result != want {
		t.Errorf("got %+v, want %+v", result, want)
	}
}

func takesArguments(t *testing.T, host testbed.Host) {
	for _, want := range []string{"two words", "it's", `"$HOME" \ *`, "-n", ""} {
		result, err := host.Run(t.Context(), "printf", "%s", want)
		if err != nil || result.Stdout != want {
			t.Errorf("%q became %q (%s), %v", want, result.Stdout, result.Stderr, err)
		}
	}
}

func killsBackgroundProgram(t *testing.T, host testbed.Host) {
	seconds := "31536" + strconv.Itoa(os.Getpid())
	process, err := host.Start(t.Context(), "sleep", seconds)
	if err != nil {
		t.Fatal(err)
	}
	waitUntilRuns(t, host, seconds)
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	result, err := process.Wait()
	if err != nil || result.ExitCode != 128+9 {
		t.Errorf("the killed program ended with %+v, %v", result, err)
	}
	if err := process.Kill(); err != nil {
		t.Errorf("kill it a second time: %v", err)
	}
	if result, err := host.Run(t.Context(), "pgrep", "-f", "sleep "+seconds); err != nil || result.ExitCode != 1 {
		t.Errorf("it still runs: %+v, %v", result, err)
	}
}

func endsWithContext(t *testing.T, host testbed.Host) {
	seconds := "31537" + strconv.Itoa(os.Getpid())
	ctx, cancel := context.WithCancel(t.Context())
	process, err := host.Start(ctx, "sleep", seconds)
	if err != nil {
		t.Fatal(err)
	}
	waitUntilRuns(t, host, seconds)
	cancel()
	if _, err := process.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	// pidwait ends with status 1 if there is none.
	if result, err := host.Run(t.Context(), "pidwait", "-f", "sleep "+seconds); err != nil {
		t.Errorf("it still runs: %+v, %v", result, err)
	}
}

// waitUntilRuns returns once a sleep of that many seconds has started.
func waitUntilRuns(t *testing.T, host testbed.Host, seconds string) {
	t.Helper()
	testbed.Output(t, host, "sh", "-c", "until pgrep -x -f 'sleep "+seconds+"'; do sleep 0.1; done")
}

func pushesFile(t *testing.T, host testbed.Host) {
	local := filepath.Join(t.TempDir(), "file")
	write(t, local, "pushed\n")
	if err := host.Push(t.Context(), local, "/opt/a/b/file", 0o750); err != nil {
		t.Fatal(err)
	}
	if got := testbed.Output(t, host, "stat", "-c", "%a %s", "/opt/a/b/file"); got != "750 7" {
		t.Errorf("mode and size are %q", got)
	}
	if err := host.Push(t.Context(), local, "/proc/no/such", 0o644); err == nil {
		t.Error("pushing to an impossible place is no error")
	}
}

func keepsFilesOverReboot(t *testing.T, host testbed.Host) {
	before := bootID(t, host)
	testbed.Output(t, host, "sh", "-c", "echo kept >/var/lib/reboot")
	if err := host.Reboot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := bootID(t, host); after == before {
		t.Errorf("the boot id is still %s", after)
	}
	if got := testbed.Output(t, host, "cat", "/var/lib/reboot"); got != "kept" {
		t.Errorf("the file reads %q", got)
	}
}

func keepsFilesOverPowerCut(t *testing.T, host testbed.Host) {
	before := bootID(t, host)
	testbed.Output(t, host, "sh", "-c", "echo kept >/var/lib/cut && sync")
	for range 2 { // the second cut finds it down
		if err := host.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := host.Run(t.Context(), "true"); err == nil {
		t.Error("a host without power runs a program")
	}
	if err := host.Boot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := bootID(t, host); after == before {
		t.Errorf("the boot id is still %s", after)
	}
	if got := testbed.Output(t, host, "cat", "/var/lib/cut"); got != "kept" {
		t.Errorf("the file reads %q", got)
	}
}

func bootID(t *testing.T, host testbed.Host) string {
	t.Helper()
	return testbed.Output(t, host, "cat", "/proc/sys/kernel/random/boot_id")
}
