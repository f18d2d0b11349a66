package testbed_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestVM(t *testing.T) {
	vm := testbed.StartVM(t, testbed.VMOptions{SwapDisk: 64, CommandLine: "hostprofile.test=1"})

	t.Run("runs systemd and firewalld", func(t *testing.T) {
		if got := testbed.Output(t, vm, "systemctl", "is-system-running"); got != "running" {
			t.Errorf("the system is %q", got)
		}
		if got := testbed.Output(t, vm, "systemctl", "is-active", "firewalld"); got != "active" {
			t.Errorf("firewalld is %q", got)
		}
		if got := testbed.Output(t, vm, "hostname"); got != "hostprofile-vm" {
			t.Errorf("the host name is %q", got)
		}
	})
	t.Run("takes kernel arguments", func(t *testing.T) {
		if got := testbed.Output(t, vm, "cat", "/proc/cmdline"); !strings.Contains(got, "hostprofile.test=1") {
			t.Errorf("the command line is %q", got)
		}
	})
	t.Run("reports exit codes and output", func(t *testing.T) { reportsExitCodes(t, vm) })
	t.Run("takes arguments as they are", func(t *testing.T) { takesArguments(t, vm) })
	t.Run("kills a background program", func(t *testing.T) { killsBackgroundProgram(t, vm) })
	t.Run("ends a program with its context", func(t *testing.T) { endsWithContext(t, vm) })
	t.Run("takes a file", func(t *testing.T) { pushesFile(t, vm) })
	t.Run("connects again", func(t *testing.T) {
		if _, err := vm.Run(t.Context(), "pkill", "-f", "^sshd: root@"); err == nil {
			t.Error("the connection survived")
		}
		testbed.Output(t, vm, "true")
	})
	t.Run("has sysctls of its own", func(t *testing.T) {
		const path = "/proc/sys/vm/swappiness"
		outside := read(t, path)
		testbed.Output(t, vm, "sh", "-c", "echo 7 >"+path)
		if got := testbed.Output(t, vm, "cat", path); got != "7" {
			t.Errorf("swappiness is %q", got)
		}
		if got := read(t, path); got != outside {
			t.Errorf("the machine's swappiness changed from %q to %q", outside, got)
		}
	})
	t.Run("loads modules", func(t *testing.T) {
		for _, module := range []string{"overlay", "br_netfilter", "zram"} {
			testbed.Output(t, vm, "modprobe", module)
			testbed.Output(t, vm, "test", "-d", "/sys/module/"+module)
		}
	})
	t.Run("swaps from boot on", func(t *testing.T) { swaps(t, vm) })
	t.Run("keeps files over a reboot", func(t *testing.T) { keepsFilesOverReboot(t, vm) })
	t.Run("swaps after a reboot", func(t *testing.T) { swaps(t, vm) })
	t.Run("keeps files over a power cut", func(t *testing.T) { keepsFilesOverPowerCut(t, vm) })
}

func swaps(t *testing.T, vm *testbed.VM) {
	if got := testbed.Output(t, vm, "swapon", "--show=NAME,TYPE", "--noheadings"); got != "/dev/nvme1n1 partition" {
		t.Errorf("swap is on %q", got)
	}
	testbed.Output(t, vm, "swapoff", "--all")
	if got := testbed.Output(t, vm, "swapon", "--show", "--noheadings"); got != "" {
		t.Errorf("after swapoff swap is on %q", got)
	}
}
