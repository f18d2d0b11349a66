package command_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

func TestAReadOnlyEtcIsAWarningAndTheValuesAreInForce(t *testing.T) {
	w := newWorld(t)
	w.host.MountReadOnly("/etc", true)
	golden(t, "read-only-etc.txt", w.must(0, "up", "--profile", "cis"))
	if v, _ := w.host.Sysctl("kernel/panic"); v != "10" {
		t.Errorf("kernel.panic is %s", v)
	}
	doc := w.must(0, "up", "--profile", "cis", "-o", "json").document(t)
	if warnings := doc["warnings"].([]any); len(warnings) != 1 || warnings[0].(map[string]any)["reason"] != "ReadOnlyEtc" {
		t.Errorf("%v", warnings)
	}
	w.host.MountReadOnly("/etc", false)
	w.must(0, "up")
	if _, there := w.host.File(paths.SysctlDropIn); !there {
		t.Error("the file is not written once it can be")
	}
}

func TestAReadOnlyProcSysFailsOnlyWhatIsNotRight(t *testing.T) {
	w := newWorld(t, fake.Sysctl("kernel/panic", "10"), fake.Sysctl("kernel/panic_on_oops", "1"), fake.Sysctl("vm/overcommit_memory", "1"))
	w.host.MountReadOnly("/proc/sys", true)
	w.must(0, "up", "--profile", "cis")
	w.host.MountReadOnly("/proc/sys", false)
	if err := w.host.SetSysctl("kernel/panic", "0"); err != nil {
		t.Fatal(err)
	}
	w.host.MountReadOnly("/proc/sys", true)
	a := w.must(1, "up", "--profile", "cis")
	if !strings.Contains(a.stdout, "want 10: ReadOnlyProcSys") || !strings.Contains(a.stdout, "1 failed, 5 already right") {
		t.Errorf("%s", a.stdout)
	}
}

func TestSwapThatStaysInUseIsAFailureWithItsSize(t *testing.T) {
	w := newWorld(t)
	w.host.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 2 << 30, Used: 100 << 20, Priority: -2})
	w.host.FailKernel("/dev/sda2", syscall.ENOMEM)
	a := w.must(1, "up", "--profile", "kubernetes")
	if !strings.Contains(a.stdout, "/dev/sda2 (2048 MiB, 100 MiB used)") {
		t.Errorf("%s", a.stdout)
	}
	if v, _ := w.host.Sysctl("net/ipv4/ip_forward"); v != "1" {
		t.Error("the failure stopped the others")
	}
}

func TestAFullDiskStopsTheRunBeforeItChangesAnything(t *testing.T) {
	w := newWorld(t)
	w.host.FillDisk(true)
	before := w.host.Sysctls()
	a := w.must(1, "up", "--profile", "cis")
	if !strings.Contains(a.stdout+a.stderr, "space") {
		t.Errorf("%s%s", a.stdout, a.stderr)
	}
	for key, value := range w.host.Sysctls() {
		if before[key] != value {
			t.Errorf("%s became %s", key, value)
		}
	}
}

func TestAValueThatTheKernelClampsIsToldWithWhatItMadeOfIt(t *testing.T) {
	w := newWorld(t)
	w.host.SetClamp("net/core/somaxconn", 5000)
	file := w.file("site.yaml", profileWith("{name: net.core.somaxconn, value: 65535}"))
	for range 2 {
		a := w.must(1, "up", "-f", file)
		if !strings.Contains(a.stdout, "want 65535: Clamped") || !strings.Contains(a.stdout, "5000") {
			t.Errorf("%s", a.stdout)
		}
	}
}
