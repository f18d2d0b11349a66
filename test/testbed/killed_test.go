package testbed_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// victimVariable makes a test the one that is killed.
const victimVariable = "HOSTPROFILE_TESTBED_VICTIM"

func TestKilledTestLeavesNothingThatRuns(t *testing.T) {
	c := testbed.StartContainer(t, testbed.ContainerOptions{})
	if os.Getenv(victimVariable) != "" {
		fmt.Println("victim " + c.Name())
		select {}
	}
	name, kill := startVictim(t)
	if len(tracesOf(t, name)) == 0 {
		t.Fatal("a running container leaves no trace: the search finds nothing")
	}
	kill()
	isCgroup := func(trace string) bool { return strings.HasPrefix(trace, "/sys/fs/cgroup/") }
	eventually(t, func() (string, bool) {
		left := slices.DeleteFunc(tracesOf(t, name), isCgroup)
		return fmt.Sprint("left behind: ", left), len(left) == 0
	})

	// The folders of its cgroups go with the next container, and only those.
	testbed.StartContainer(t, testbed.ContainerOptions{})
	if left := tracesOf(t, name); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	testbed.Output(t, c, "true")
}

// startVictim runs the calling test again, as the victim, and returns the name of
// its container and the way to kill it.
func startVictim(t *testing.T) (name string, kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), victimVariable+"=1")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "victim "); ok {
			return name, kill
		}
	}
	t.Fatal("the victim did not start a container")
	return "", nil
}

// eventually fails the test if a condition does not come about.
func eventually(t *testing.T, holds func() (state string, ok bool)) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline := time.Now().Add(20 * time.Second)
	for {
		state, ok := holds()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(state)
		}
		<-tick.C
	}
}
