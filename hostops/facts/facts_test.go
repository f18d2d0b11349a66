package facts_test

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/facts"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestReadTakesEveryFact(t *testing.T) {
	h := fake.New()
	h.SetProc("/proc/1/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
	h.SetProc("/sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n")
	h.PutFile("/etc/machine-id", "0123456789abcdef0123456789abcdef\n")
	h.PutFile("/usr/lib/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nVERSION_ID=\"13\"\n")
	h.PutLink("/etc/os-release", "../usr/lib/os-release")
	h.SetMemory(8<<30, 6<<30)
	got, err := facts.Read(t.Context(), h.Machine())
	if err != nil {
		t.Fatal(err)
	}
	want := facts.Facts{
		BootID: h.BootID(), MachineID: "0123456789abcdef0123456789abcdef", Hostname: "node1.example.net",
		Kernel:  facts.Release{Raw: "6.12.74+deb13+1-amd64", Known: true, Major: 6, Minor: 12, Patch: 74},
		OS:      facts.OS{ID: "debian", PrettyName: "Debian GNU/Linux 13 (trixie)", VersionID: "13"},
		Cgroup:  facts.Cgroup{Known: true, Mode: facts.Unified, Controllers: []string{"cpu", "memory", "pids"}},
		Memory:  facts.Memory{Total: 8 << 30, Available: 6 << 30},
		SELinux: machine.SELinuxOff,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

func TestAFactThatCannotBeReadIsAWarning(t *testing.T) {
	h := fake.New()
	for _, path := range []string{"/etc/machine-id", "/etc/os-release", "/proc/meminfo", "/proc/1/mounts", "/proc/self/mounts"} {
		h.FailRead(path, fs.ErrPermission)
	}
	h.FailSysctlRead("kernel/hostname", fs.ErrPermission)
	h.FailSysctlRead("kernel/osrelease", fs.ErrPermission)
	got, err := facts.Read(t.Context(), h.Machine())
	if err != nil {
		t.Fatal(err)
	}
	for i, what := range []string{"machine id", "host name", "kernel release", "os-release", "cgroup", "memory"} {
		if i >= len(got.Warnings) || !strings.HasPrefix(got.Warnings[i], what) {
			t.Fatalf("warnings %q", got.Warnings)
		}
	}
	if got.OS.ID != "linux" || got.Kernel.Known {
		t.Errorf("%+v", got)
	}
}

func TestAnImageWithoutAMachineIDIsNoWarning(t *testing.T) {
	h := fake.New()
	got, err := facts.Read(t.Context(), h.Machine())
	if err != nil || got.MachineID != "" {
		t.Fatalf("%q, %v", got.MachineID, err)
	}
	for _, w := range got.Warnings {
		if strings.HasPrefix(w, "machine id") {
			t.Errorf("warning %q", w)
		}
	}
}

func TestTheBootIDOfAContainerIsAFileOfItsOwn(t *testing.T) {
	h := fake.New()
	h.FailSysctlRead("kernel/random/boot_id", machine.ErrNotProcfs)
	if got, err := facts.Read(t.Context(), h.Machine()); err == nil {
		t.Errorf("boot id %q without a file", got.BootID)
	}
	h.PutFile("/proc/sys/kernel/random/boot_id", "5f0c\n")
	if got, err := facts.Read(t.Context(), h.Machine()); err != nil || got.BootID != "5f0c" {
		t.Errorf("boot id %q, %v", got.BootID, err)
	}
}

func TestABootIDIsNeeded(t *testing.T) {
	h := fake.New()
	h.FailSysctlRead("kernel/random/boot_id", fs.ErrPermission)
	if _, err := facts.Read(t.Context(), h.Machine()); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := facts.Read(ctx, fake.New().Machine()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
