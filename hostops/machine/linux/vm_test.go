package linux_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// expendable is on the kernel's command line of a machine whose own sysctls, modules
// and swap a test may change. It is never on that of a machine that somebody uses.
const expendable = "hostprofile.test=expendable"

// needsVM skips a test that must run in a VM, unless it does.
func needsVM(t *testing.T) {
	t.Helper()
	line, err := os.ReadFile("/proc/cmdline")
	must(t, err)
	if !strings.Contains(string(line), expendable) {
		t.Skip("changes the machine: runs by TestInAVM")
	}
}

// TestInAVM runs the suite, and the tests that no namespace can hold, on the kernel,
// the modules and the swap of a virtual machine.
func TestInAVM(t *testing.T) {
	vm := testbed.StartVM(t, testbed.VMOptions{SwapDisk: 128, CommandLine: expendable})
	const remote = "/srv/linux.test"
	must(t, vm.Push(t.Context(), testBinary(t), remote, 0o755))
	// -test.short leaves out what needs an image of its own, such as one with firewalld.
	result, err := vm.Run(t.Context(), remote, "-test.v", "-test.short", "-test.skip=InAVM", "-test.timeout=5m")
	must(t, err)
	t.Logf("in the VM:\n%s%s", testbed.Failures(result.Stdout), result.Stderr)
	if result.ExitCode != 0 {
		t.Fatalf("exit status %d", result.ExitCode)
	}
	for _, name := range []string{"TestTheRealKernelKeepsTheContract", "TestTheRealMountsKeepTheContract", "TestVMGlobalSysctls", "TestVMKernelModules", "TestVMSwap"} {
		if !strings.Contains(result.Stdout, "--- PASS: "+name) {
			t.Errorf("%s did not run", name)
		}
	}
}

// testBinary builds this package's tests for a machine without libraries.
func testBinary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "linux.test")
	build := exec.CommandContext(context.WithoutCancel(t.Context()), "go", "test", "-c", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}
