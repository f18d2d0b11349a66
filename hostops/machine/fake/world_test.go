package fake_test

import (
	"errors"
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestACloneIsIndependent(t *testing.T) {
	h := fake.New()
	h.KeepLog()
	h.AddSwap(fake.Swap{Path: "/swap", Size: 1 << 20})
	h.FailChange("/etc/x", machine.ErrReadOnly)
	h.FailRead("/etc/r", syscall.EIO)
	h.MountReadOnly("/var", true)
	c := h.Clone()
	if c.String() != h.String() {
		t.Fatal("it differs at once")
	}
	before := h.String()
	change := func(h *fake.Host) {
		m := h.Machine()
		_ = m.Proc.WriteSysctl("vm/swappiness", "1")
		_ = m.Kernel.LoadModule(t.Context(), "br_netfilter")
		_ = m.Kernel.SwapOff(t.Context(), "/swap")
		_ = m.Files.Write("/etc/a", []byte("x"), 0o644)
		_, _ = m.Locks.TryLock("/run/l", "x")
		h.AddLink("x0")
		h.ForbidModule("overlay", true)
		h.DropModule("zram")
		h.SetModule(fake.Module{Name: "new"})
		h.FailRead("/etc/r", nil)
		h.MountReadOnly("/var", false)
		h.MountReadOnly("/srv", true)
		h.EndFaults()
		h.FailSysctlRead("vm/swappiness", fs.ErrPermission)
		h.Advance(time.Hour)
		h.SetProc("/proc/x", "y")
	}
	change(c)
	if h.String() != before || h.Mutations() != 0 || len(h.Log()) != 0 {
		t.Errorf("the original changed:\n%s", h)
	}
	if err := h.Load("zram"); err != nil {
		t.Error(err)
	}
	h.Reboot()
	if _, err := h.Machine().Files.Read("/etc/r"); !errors.Is(err, syscall.EIO) {
		t.Errorf("fault: %v", err)
	}
	if err := h.Machine().Files.Mkdir("/var/d", 0o755); !errors.Is(err, machine.ErrReadOnly) {
		t.Errorf("mount: %v", err)
	}
	if err := h.Load("new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("module: %v", err)
	}
	if err := h.Machine().Files.Write("/etc/x", nil, 0o644); !errors.Is(err, machine.ErrReadOnly) {
		t.Errorf("fault: %v", err)
	}
	if _, err := h.Machine().Proc.ReadSysctl("vm/swappiness"); err != nil {
		t.Error(err)
	}
	after := c.String()
	change(h)
	h.RemoveLink("x0")
	h.Reboot()
	if c.String() != after {
		t.Errorf("the clone changed:\n%s", c)
	}
}

func TestAHostPrintsWhatHappenedToIt(t *testing.T) {
	h := fake.New(fake.Bare(), fake.Sysctl("vm/swappiness", "60"), fake.Sysctl("vm/panic_on_oom", "0"), fake.Link("eth0"),
		fake.HasModule(fake.Module{Name: "overlay"}))
	h.Delete("/lib")
	h.Delete("/usr")
	m := h.Machine()
	_ = m.Proc.WriteSysctl("vm/swappiness", "10")
	_ = m.Kernel.LoadModule(t.Context(), "overlay")
	_ = m.Files.Write("/etc/sysctl.d/a.conf", []byte("vm.swappiness = 10\n"), 0o644)
	_, _ = m.Locks.TryLock("/run/l", "up, pid 1")
	h.PutLink("/etc/link", "a")
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Used: 1 << 20, Priority: -2})
	h.AddLink("x0")
	want := `boot 1
link 1 eth0
link 2 x0
module overlay
swap /dev/sda2 1048576 kB, 1024 kB used, priority -2
sysctl vm/swappiness = 10 (was 60)
link /etc/link -> a
dir /etc/modprobe.d 0755
dir /etc/modules-load.d 0755
file /etc/sysctl.d/a.conf 0644 "vm.swappiness = 10\n"
file /run/l 0600 "up, pid 1"
dir /var/lib 0755
lock /run/l: up, pid 1
`
	if got := h.String(); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestSysctlFaults(t *testing.T) {
	const key = "vm/swappiness"
	for name, c := range map[string]struct {
		fault       func(*fake.Host)
		read, write error
	}{
		"hidden":       {func(h *fake.Host) { h.Hide(key) }, fs.ErrNotExist, fs.ErrNotExist},
		"shown again":  {func(h *fake.Host) { h.Hide(key); h.Show(key) }, nil, nil},
		"read-only":    {func(h *fake.Host) { h.SetReadOnly(key, true) }, nil, fs.ErrPermission},
		"write-only":   {func(h *fake.Host) { h.SetWriteOnly(key, true) }, fs.ErrPermission, nil},
		"covered":      {func(h *fake.Host) { h.MountOver(key, true) }, machine.ErrNotProcfs, machine.ErrNotProcfs},
		"mount":        {func(h *fake.Host) { h.MountReadOnly("/proc/sys", true) }, nil, machine.ErrReadOnly},
		"read fails":   {func(h *fake.Host) { h.FailSysctlRead(key, syscall.EIO) }, syscall.EIO, nil},
		"write fails":  {func(h *fake.Host) { h.FailSysctlWrite(key, syscall.EIO) }, nil, syscall.EIO},
		"fault ended":  {func(h *fake.Host) { h.FailSysctlWrite(key, syscall.EIO); h.EndFaults() }, nil, nil},
		"fault nilled": {func(h *fake.Host) { h.FailSysctlRead(key, syscall.EIO); h.FailSysctlRead(key, nil) }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := fake.New()
			c.fault(h)
			_, err := h.Machine().Proc.ReadSysctl(key)
			if !errors.Is(err, c.read) {
				t.Errorf("read: %v, want %v", err, c.read)
			}
			if err := h.Machine().Proc.WriteSysctl(key, "1"); !errors.Is(err, c.write) {
				t.Errorf("write: %v, want %v", err, c.write)
			}
			if got, there := h.Sysctl(key); there && (got == "1") != (c.write == nil) {
				t.Errorf("value %s", got)
			}
		})
	}
}

func TestAClampedKeyStoresItsLimitSilently(t *testing.T) {
	h := fake.New()
	h.SetClamp("vm/swappiness", 100)
	for written, want := range map[string]string{"150": "100", "100": "100", "7": "7", "0x7f": "100"} {
		if err := h.Machine().Proc.WriteSysctl("vm/swappiness", written); err != nil {
			t.Error(err)
		}
		reads(t, h, "vm/swappiness", want)
	}
	h.SetClamp("vm/swappiness", 0)
	_ = h.SetSysctl("vm/swappiness", "150")
	reads(t, h, "vm/swappiness", "150")
}

func TestModulesBringTheirKeys(t *testing.T) {
	h := fake.New(fake.HasModule(fake.Module{Name: "inside", Builtin: true, Keys: map[string]string{"a/b": "1"}}))
	m := h.Machine()
	reads(t, h, "a/b", "1")
	gone(t, h, "net/netfilter/nf_conntrack_max")
	if err := m.Kernel.LoadModule(t.Context(), "ip-vs"); err != nil {
		t.Fatal(err)
	}
	reads(t, h, "net/netfilter/nf_conntrack_max", "262144")
	b, err := m.Proc.ReadProc("/proc/modules")
	if err != nil || !strings.HasPrefix(string(b), "ip_vs ") || strings.Contains(string(b), "inside") {
		t.Errorf("%s%v", b, err)
	}
	if b, err := m.Proc.ReadProc("/sys/module/ip_vs/initstate"); err != nil || string(b) != "live\n" {
		t.Errorf("%s%v", b, err)
	}
	for path, want := range map[string]error{
		"/sys/module/inside": machine.ErrNotRegular, "/sys/module/none": fs.ErrNotExist, "/sys/module/inside/initstate": fs.ErrNotExist,
	} {
		if _, err := m.Proc.ReadProc(path); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	h.ForbidModule("overlay", true)
	h.DropModule("zram")
	for name, want := range map[string]error{"overlay": machine.ErrForbidden, "zram": fs.ErrNotExist, "inside": nil, "ip_vs": nil} {
		if err := m.Kernel.LoadModule(t.Context(), name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

func TestSwapMustFitIntoMemory(t *testing.T) {
	h := fake.New()
	m := h.Machine()
	h.SetMemory(4<<30, 1<<30)
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 4 << 30, Used: 3 << 29})
	if err := m.Kernel.SwapOff(t.Context(), "/dev/sda2"); !errors.Is(err, syscall.ENOMEM) {
		t.Errorf("error %v", err)
	}
	h.SetMemory(4<<30, 2<<30)
	if err := m.Kernel.SwapOff(t.Context(), "/dev/sda2"); err != nil {
		t.Fatal(err)
	}
	b, err := m.Proc.ReadProc("/proc/meminfo")
	if err != nil || !strings.Contains(string(b), "MemAvailable:     524288 kB\n") || !strings.Contains(string(b), "SwapTotal:             0 kB\n") {
		t.Errorf("%s%v", b, err)
	}
	if err := m.Kernel.SwapOn("/dev/sda2", 5); err != nil {
		t.Fatal(err)
	}
	b, err = m.Proc.ReadProc("/proc/swaps")
	want := "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n" +
		"/dev/sda2                               partition\t4194304\t\t0\t\t5\n"
	if err != nil || string(b) != want {
		t.Errorf("got:\n%swant:\n%s%v", b, want, err)
	}
	if err := m.Kernel.SwapOn("/dev/sda2", 5); !errors.Is(err, syscall.EBUSY) {
		t.Errorf("twice: %v", err)
	}
}

func TestFileFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(*fake.Host)
		want  error
	}{
		"full":      {func(h *fake.Host) { h.FillDisk(true) }, machine.ErrNoSpace},
		"read-only": {func(h *fake.Host) { h.MountReadOnly("/etc", true) }, machine.ErrReadOnly},
		"path":      {func(h *fake.Host) { h.FailChange("/etc/a", syscall.EIO) }, syscall.EIO},
		"stray":     {func(h *fake.Host) { h.LeaveStrays(true); h.FailChange("/etc/a", machine.ErrStrayCopy) }, machine.ErrStrayCopy},
		"ended":     {func(h *fake.Host) { h.MountReadOnly("/etc", true); h.MountReadOnly("/etc", false) }, nil},
		"elsewhere": {func(h *fake.Host) { h.MountReadOnly("/et", true); h.FailChange("/etc/b", syscall.EIO) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := fake.New()
			h.PutFile("/etc/a", "old")
			c.fault(h)
			err := h.Machine().Files.Write("/etc/a", []byte("new"), 0o644)
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if got, _ := h.File("/etc/a"); (got == "new") != (c.want == nil) {
				t.Errorf("holds %q", got)
			}
			swept, err := h.Machine().Files.Sweep("/etc/a")
			if (len(swept) == 1) != (name == "stray") || err != nil {
				t.Errorf("swept %q, %v", swept, err)
			}
		})
	}
}

func TestADeathInTheMiddleOfAWriteCanLeaveAStray(t *testing.T) {
	h := fake.New()
	h.LeaveStrays(true)
	h.StopAt(0)
	_ = h.Machine().Files.Write("/etc/a", []byte("new"), 0o644)
	h.Revive()
	if swept, err := h.Machine().Files.Sweep("/etc/a"); len(swept) != 1 || err != nil {
		t.Errorf("swept %q, %v", swept, err)
	}
}

func TestAHostMayBeUsedBySeveralAtOnce(t *testing.T) {
	h := fake.New()
	var all sync.WaitGroup
	for range 4 {
		m := h.Start().Machine()
		all.Go(func() {
			for i := range 200 {
				_ = m.Proc.WriteSysctl("vm/swappiness", "10")
				_, _ = m.Proc.ReadSysctl("vm/swappiness")
				_ = m.Files.Write("/etc/a", []byte{byte(i)}, 0o644)
				if i%50 == 0 {
					_ = h.Clone().String()
					h.AddLink("x0")
					h.RemoveLink("x0")
				}
			}
		})
	}
	all.Wait()
}
