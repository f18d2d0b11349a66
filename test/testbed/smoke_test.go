package testbed_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestSmokeContainer(t *testing.T) {
	start := time.Now()
	c := testbed.StartContainer(t, testbed.ContainerOptions{})
	fmt.Println("up", time.Since(start))
	for _, a := range [][]string{{"systemctl", "is-system-running"}, {"id"}, {"ps", "ax"}, {"firewall-cmd", "--state"}, {"cat", "/proc/self/mounts"}, {"systemctl", "--failed"}} {
		r, err := c.Run(t.Context(), a...)
		fmt.Println(a, r.Stdout, r.Stderr, r.ExitCode, err)
	}
	start = time.Now()
	fmt.Println(c.Reboot(t.Context()), time.Since(start))
}

func TestSmokeVM(t *testing.T) {
	start := time.Now()
	c := testbed.StartVM(t, testbed.VMOptions{SwapDisk: 256})
	fmt.Println("up", time.Since(start))
	for _, a := range [][]string{{"systemctl", "is-system-running"}, {"id"}, {"ps", "ax"}, {"firewall-cmd", "--state"}, {"cat", "/proc/swaps"}, {"systemctl", "--failed"}, {"systemd-analyze", "blame"}, {"systemd-analyze"}, {"env"}} {
		start = time.Now()
		r, err := c.Run(t.Context(), a...)
		fmt.Println(a, r.Stdout, r.Stderr, r.ExitCode, err, time.Since(start))
	}
	start = time.Now()
	fmt.Println(c.Reboot(t.Context()), time.Since(start))
}
