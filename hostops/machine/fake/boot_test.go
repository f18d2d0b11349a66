package fake_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func reads(t *testing.T, h *fake.Host, path, want string) {
	t.Helper()
	if got, there := h.Sysctl(path); got != want || !there {
		t.Errorf("%s reads as %q, there %v, want %q", path, got, there, want)
	}
}

func gone(t *testing.T, h *fake.Host, path string) {
	t.Helper()
	if got, there := h.Sysctl(path); there {
		t.Errorf("%s reads as %q, want it gone", path, got)
	}
}

func TestARebootForgetsWhatIsNotPersistent(t *testing.T) {
	h := fake.New()
	m := h.Machine()
	first := h.BootID()
	_ = h.SetSysctl("vm/swappiness", "1")
	_ = h.Load("br_netfilter")
	h.AddLink("x0")
	_ = m.Files.WriteVolatile("/run/a", []byte("x"), 0o600)
	_ = m.Files.Write("/etc/a", []byte("x"), 0o600)
	if _, err := m.Locks.TryLock("/run/l", "x"); err != nil {
		t.Fatal(err)
	}
	h.Kill()
	h.Reboot()

	reads(t, h, "vm/swappiness", "60")
	gone(t, h, "net/bridge/bridge-nf-call-iptables")
	gone(t, h, "net/ipv4/conf/x0/rp_filter")
	if _, there := h.File("/run/a"); there {
		t.Error("/run/a is there")
	}
	if _, there := h.File("/etc/a"); !there {
		t.Error("/etc/a is gone")
	}
	if second := h.BootID(); second == first {
		t.Error("the boot id is the same")
	}
	id, err := m.Proc.ReadSysctl("kernel/random/boot_id")
	if err != nil || id != h.BootID() {
		t.Errorf("boot id %q, %v", id, err)
	}
	if _, err := m.Locks.TryLock("/run/l", "y"); err != nil {
		t.Error(err)
	}
	if i, err := m.Network.LinkIndex("eth0"); err != nil || i != 2 {
		t.Errorf("eth0 has index %d, %v", i, err)
	}
}

func TestABootReadsTheFilesInOrder(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/sysctl.d/10-admin.conf", "vm.swappiness = 10\nvm/max_map_count=1\n# vm.panic_on_oom = 1\n")
	h.PutFile("/usr/lib/sysctl.d/50-vendor.conf", "vm.swappiness = 50\n-net.core.somaxconn = 128\n")
	h.PutFile("/usr/lib/sysctl.d/10-admin.conf", "vm.overcommit_memory = 1\n")
	h.PutFile("/etc/sysctl.d/.zzz.conf", "net.core.netdev_max_backlog = 90\n")
	h.PutFile("/etc/sysctl.d/zzz.bak", "vm.swappiness = 91\n")
	h.Reboot()
	reads(t, h, "vm/swappiness", "50")
	reads(t, h, "vm/max_map_count", "1")
	reads(t, h, "vm/panic_on_oom", "0")
	reads(t, h, "net/core/somaxconn", "128")
	reads(t, h, "vm/overcommit_memory", "0")
	reads(t, h, "net/core/netdev_max_backlog", "1000")
}

// A line that a later one overrides is never applied, so that it has no effects.
func TestAnOverriddenLineHasNoEffects(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/sysctl.d/a.conf", "net.ipv4.ip_forward = 1\nnet.ipv4.conf.eth0.forwarding = 1\n")
	h.PutFile("/etc/sysctl.d/b.conf", "net.ipv4.ip_forward = 0\n")
	h.Reboot()
	reads(t, h, "net/ipv4/ip_forward", "0")
	reads(t, h, "net/ipv4/conf/eth0/forwarding", "1")
}

func TestABootProcessReadsAllOrOneOrNone(t *testing.T) {
	const ours = "zz-hostprofile.conf"
	for want, reader := range map[string]fake.Reader{
		"60": nil, "1": fake.ReadAll, "10": fake.ReadAllBut(ours),
	} {
		h := fake.New(fake.Boots(reader))
		h.PutFile("/etc/sysctl.d/10-admin.conf", "vm.swappiness = 10\n")
		h.PutFile("/etc/sysctl.d/"+ours, "vm.swappiness = 1\n")
		h.Reboot()
		reads(t, h, "vm/swappiness", want)
		h.SetReader(fake.ReadAll)
		h.Reboot()
		reads(t, h, "vm/swappiness", "1")
	}
}

func TestAPatternYieldsToANamedKey(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/sysctl.d/10-admin.conf", "net.ipv4.conf.eth0.rp_filter = 1\n")
	h.PutFile("/etc/sysctl.d/50-vendor.conf", "-net.ipv4.conf.*.rp_filter = 2\n")
	h.Reboot()
	reads(t, h, "net/ipv4/conf/eth0/rp_filter", "1")
	reads(t, h, "net/ipv4/conf/lo/rp_filter", "2")
	reads(t, h, "net/ipv4/conf/all/rp_filter", "2")
}

// The distribution's udev applies sysctl.d to a new interface; the later pattern wins.
func TestANewInterfaceGetsItsLines(t *testing.T) {
	h := fake.New()
	h.PutFile("/usr/lib/sysctl.d/50-default.conf", "net.ipv4.conf.*.rp_filter = 2\nvm.swappiness = 5\n")
	h.AddLink("lxc0")
	reads(t, h, "net/ipv4/conf/lxc0/rp_filter", "2")
	reads(t, h, "vm/swappiness", "60")
	h.PutFile("/etc/sysctl.d/zz-hostprofile.conf", "-net.ipv4.conf.lxc*.rp_filter = 0\n")
	h.AddLink("lxc1")
	reads(t, h, "net/ipv4/conf/lxc1/rp_filter", "0")
	h.AddLink("eth1")
	reads(t, h, "net/ipv4/conf/eth1/rp_filter", "2")
	h.PutFile("/etc/sysctl.d/a.conf", "net.ipv4.conf.eth0/100.rp_filter = 1\n")
	h.AddLink("eth0.100")
	reads(t, h, "net/ipv4/conf/eth0.100/rp_filter", "1")
}

func TestABootLoadsModulesBeforeItReadsSysctls(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/modules-load.d/hostprofile.conf", "# ours\nbr_netfilter\nnone\n")
	h.PutFile("/etc/sysctl.d/a.conf", "net.bridge.bridge-nf-call-iptables = 0\n")
	h.Reboot()
	reads(t, h, "net/bridge/bridge-nf-call-iptables", "0")
	reads(t, h, "net/bridge/bridge-nf-call-ip6tables", "1")
}

func TestANewKernelHasNewDefaults(t *testing.T) {
	h := fake.New()
	h.SetDefault("vm/swappiness", "30")
	reads(t, h, "vm/swappiness", "60")
	h.Reboot()
	reads(t, h, "vm/swappiness", "30")
}

func TestAPowerCutTakesBackWhatWasNotDurable(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*fake.Host)
		want string
	}{
		{"power cut", (*fake.Host).PowerCut, "old"},
		{"reboot", (*fake.Host).Reboot, "new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.New()
			m := h.Machine()
			h.PutFile("/etc/a", "old")
			h.FailChange("/etc/a", machine.ErrNotDurable)
			if err := m.Files.Write("/etc/a", []byte("new"), 0o644); !errors.Is(err, machine.ErrNotDurable) {
				t.Errorf("error %v", err)
			}
			if err := m.Files.Write("/etc/b", []byte("durable"), 0o644); err != nil {
				t.Fatal(err)
			}
			if got, _ := h.File("/etc/a"); got != "new" {
				t.Errorf("before: %q", got)
			}
			c.end(h)
			if got, _ := h.File("/etc/a"); got != c.want {
				t.Errorf("after: %q", got)
			}
			if got, _ := h.File("/etc/b"); got != "durable" {
				t.Errorf("the durable one: %q", got)
			}
		})
	}
}

func TestAWriteThatWasNotDurableIsNotSkipped(t *testing.T) {
	h := fake.New()
	m := h.Machine()
	h.FailChange("/etc/a", machine.ErrNotDurable)
	_ = m.Files.Write("/etc/a", []byte("new"), 0o644)
	h.FailChange("/etc/a", nil)
	before := h.Mutations()
	for range 2 {
		if err := m.Files.Write("/etc/a", []byte("new"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := h.Mutations() - before; n != 1 {
		t.Errorf("%d writes, want one", n)
	}
	h.PowerCut()
	if got, _ := h.File("/etc/a"); got != "new" {
		t.Errorf("holds %q", got)
	}
}

func TestSwapComesBackAtBoot(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 2 << 30})
	h.AddSwap(fake.Swap{Path: "/swap.img", Size: 1 << 30, File: true})
	h.AddSwap(fake.Swap{Path: "/dev/zram0", Size: 1 << 30, Priority: 100, AtBoot: true})
	h.PutFile("/etc/fstab", "# swap\n/dev/sda2 none swap sw 0 0\n/swap.img none swap noauto 0 0\n")
	m := h.Machine()
	for _, path := range []string{"/dev/sda2", "/swap.img", "/dev/zram0"} {
		if err := m.Kernel.SwapOff(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := m.Proc.ReadProc("/proc/swaps"); strings.Count(string(b), "\n") != 1 {
		t.Errorf("swaps:\n%s", b)
	}
	h.Reboot()
	b, err := m.Proc.ReadProc("/proc/swaps")
	if err != nil || !strings.Contains(string(b), "/dev/sda2") || !strings.Contains(string(b), "/dev/zram0") || strings.Contains(string(b), "swap.img") {
		t.Errorf("swaps:\n%s%v", b, err)
	}
	if _, err := m.Files.Read("/etc/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
