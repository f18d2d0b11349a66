package testbed_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestVM(t *testing.T) {
	reached, other := greets(t, "welcome"), greets(t, "not for guests")
	vm := testbed.StartVM(t, testbed.VMOptions{SwapDisk: 64, CommandLine: "hostprofile.test=1", Reach: []int{reached}})

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
	t.Run("reaches what it is given", func(t *testing.T) { reachesTwice(t, vm, reached) })
	t.Run("reaches nothing else", func(t *testing.T) {
		for _, address := range []string{
			fmt.Sprintf("%s/%d", testbed.Outside, other), fmt.Sprintf("10.0.2.2/%d", other), fmt.Sprintf("10.0.2.2/%d", reached),
		} {
			r, err := vm.Run(t.Context(), "timeout", "3", "bash", "-c", "cat </dev/tcp/"+address)
			if err != nil || r.ExitCode == 0 || r.Stdout != "" {
				t.Errorf("%s answers %q with %d, %v", address, r.Stdout, r.ExitCode, err)
			}
		}
	})
	t.Run("swaps from boot on", func(t *testing.T) { swaps(t, vm) })
	t.Run("keeps files over a reboot", func(t *testing.T) { keepsFilesOverReboot(t, vm) })
	t.Run("swaps after a reboot", func(t *testing.T) { swaps(t, vm) })
	t.Run("reaches it after a reboot", func(t *testing.T) { reachesTwice(t, vm, reached) })
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

// greets sends a line to everybody who connects to a port of this machine, and returns
// the port. It holds each connection until the other side closes it.
func greets(t *testing.T, line string) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(conn, line)
			go func() {
				_, _ = conn.Read(make([]byte, 1))
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

// reachesTwice keeps one connection open while it makes another.
func reachesTwice(t *testing.T, vm *testbed.VM, port int) {
	t.Helper()
	address := fmt.Sprintf("/dev/tcp/%s/%d", testbed.Outside, port)
	script := fmt.Sprintf("exec 3<>%s 4<>%s; read a <&3; read b <&4; echo $a, $b", address, address)
	if got := testbed.Output(t, vm, "timeout", "20", "bash", "-c", script); got != "welcome, welcome" {
		t.Errorf("the guest reads %q", got)
	}
}
