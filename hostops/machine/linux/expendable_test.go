package linux_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

func TestVMGlobalSysctls(t *testing.T) {
	needsVM(t)
	contract.RunGlobal(t, func(t *testing.T) contract.World {
		w := &world{t, "/"}
		t.Cleanup(func() {
			for _, name := range []string{"x0", "x1", "x2"} {
				if _, err := os.Stat("/sys/class/net/" + name); err == nil {
					w.RemoveLink(name)
				}
			}
		})
		return w
	})
}

// TestVMKernelModules asks the host's real modprobe, at its own root and through a
// mount of it, as in a pod.
func TestVMKernelModules(t *testing.T) {
	needsVM(t)
	must(t, os.WriteFile("/etc/modprobe.d/test.conf",
		[]byte("blacklist ip_vs_wrr\ninstall ip_vs_lc /bin/false\ninstall ip_vs_sh /bin/true\n"), 0o644))
	must(t, os.MkdirAll("/host", 0o755))
	must(t, mount("/", "/host", "", unix.MS_BIND|unix.MS_REC))
	for _, root := range []string{"/host", "/"} {
		t.Run(root, func(t *testing.T) {
			m, err := linux.New(root)
			must(t, err)
			for name, want := range map[string]error{
				"overlay":      nil,
				"br_netfilter": nil,
				"br-netfilter": nil,
				"ext4":         nil, // built in
				"ip_vs_wrr":    machine.ErrForbidden,
				"ip_vs_lc":     machine.ErrForbidden,
				"ip_vs_sh":     machine.ErrForbidden,
				"nosuch":       fs.ErrNotExist,
			} {
				if err := m.Kernel.LoadModule(t.Context(), name); !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", name, err, want)
				}
			}
			if _, err := m.Proc.ReadSysctl("net/bridge/bridge-nf-call-iptables"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestVMSwap(t *testing.T) {
	needsVM(t)
	m, err := linux.New("/")
	must(t, err)
	const device = "/dev/nvme1n1"
	inUse := func() bool {
		b, err := m.Proc.ReadProc("/proc/swaps")
		must(t, err)
		return strings.Contains(string(b), device)
	}
	if !inUse() {
		t.Fatal("there is no swap to begin with")
	}
	memory := interrupted(t, m, device)
	if !inUse() {
		t.Fatal("an interrupted swapoff left the swap off")
	}
	must(t, m.Kernel.SwapOff(t.Context(), device))
	if inUse() {
		t.Error("still in use")
	}
	if err := m.Kernel.SwapOff(t.Context(), device); !errors.Is(err, machine.ErrInvalid) {
		t.Errorf("again: %v", err)
	}
	for _, m := range memory {
		if bytes.Count(m, []byte{1}) != len(m) {
			t.Error("memory was lost")
		}
	}
	must(t, m.Kernel.SwapOn(device, 7))
	if b, _ := m.Proc.ReadProc("/proc/swaps"); !strings.HasSuffix(strings.TrimSpace(string(b)), "\t7") {
		t.Errorf("swaps:\n%s", b)
	}
	if err := m.Kernel.SwapOn(device, 7); !errors.Is(err, unix.EBUSY) {
		t.Errorf("on again: %v", err)
	}
}

// interrupted ends a swapoff while it moves pages, and returns the memory they hold,
// which is full of ones. The kernel moves shared memory first, then that of one process
// after the other, and looks for signals in between: so there is some of both.
func interrupted(t *testing.T, m *machine.Machine, device string) [][]byte {
	t.Helper()
	memory := [][]byte{ones(t, 64<<20, unix.MAP_SHARED), ones(t, 32<<20, unix.MAP_PRIVATE)}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); { // a busy machine may be late each time
		for _, m := range memory {
			must(t, unix.Madvise(m, unix.MADV_PAGEOUT))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
		err := m.Kernel.SwapOff(ctx, device)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			return memory
		}
		must(t, err) // It was faster than the deadline.
		must(t, m.Kernel.SwapOn(device, -1))
	}
	t.Fatal("no swapoff took long enough to be interrupted")
	return nil
}

// ones returns memory full of ones.
func ones(t *testing.T, size, sharing int) []byte {
	t.Helper()
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|sharing)
	must(t, err)
	t.Cleanup(func() { must(t, unix.Munmap(memory)) })
	for i := range memory {
		memory[i] = 1
	}
	return memory
}
