package kmod_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const bridgeKey = "net/bridge/bridge-nf-call-iptables"

var bridge = fake.Module{Name: "br_netfilter", Keys: map[string]string{bridgeKey: "1"}}

// host is a host without /proc/modules and /lib/modules whose kernel has the modules.
func host(modules ...fake.Module) *fake.Host {
	options := []fake.Option{fake.Bare()}
	for _, m := range modules {
		options = append(options, fake.HasModule(m))
	}
	return fake.New(options...)
}

func observe(t *testing.T, h *fake.Host, name string) item.State {
	t.Helper()
	s, err := kmod.New(h.Machine(), "boot").Observe(t.Context(), kmod.Key(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func load(t *testing.T, h *fake.Host, name string) error {
	t.Helper()
	return kmod.New(h.Machine(), "boot").Apply(t.Context(), kmod.Key(name), item.Absent, kmod.Loaded)
}

func TestLoadedModuleIsFoundWithDashOrUnderscore(t *testing.T) {
	h := host(bridge)
	if s := observe(t, h, "br-netfilter"); s != item.Absent {
		t.Fatalf("before: %s", s)
	}
	if err := load(t, h, "br-netfilter"); err != nil {
		t.Fatal(err)
	}
	if s := observe(t, h, "br_netfilter"); s != kmod.Loaded {
		t.Errorf("after: %s", s)
	}
	if _, ok := h.Sysctl(bridgeKey); !ok {
		t.Error("its keys did not come")
	}
}

// TestModuleInTheKernelCountsAsLoaded: each sign alone is enough.
func TestModuleInTheKernelCountsAsLoaded(t *testing.T) {
	release, _ := host().Sysctl("kernel/osrelease")
	builtins := "/lib/modules/" + release + "/modules.builtin"
	for _, c := range []struct {
		name, module string
		h            *fake.Host
		prepare      func(*fake.Host)
		want         item.State
	}{
		{"with parameters, in /sys/module", "overlay", host(fake.Module{Name: "overlay", Builtin: true}), nil, kmod.Loaded},
		{"by its key", "br_netfilter", fake.New(fake.Bare(), fake.Sysctl(bridgeKey, "1")), nil, kmod.Loaded},
		{"by its file system", "overlay", host(), func(h *fake.Host) { h.SetProc("/proc/filesystems", "nodev\toverlay\n\text4\n") }, kmod.Loaded},
		{"another file system", "overlay", host(), func(h *fake.Host) { h.SetProc("/proc/filesystems", "nodev\toverlayfs2\n") }, item.Absent},
		{"by the list", "nf-nat", host(), func(h *fake.Host) {
			h.PutFile(builtins, "kernel/net/netfilter/nf_nat.ko\nkernel/fs/x.ko\n")
		}, kmod.Loaded},
		{"with a dash in the list", "nf_nat", host(), func(h *fake.Host) { h.PutFile(builtins, "kernel/net/nf-nat.ko\n") }, kmod.Loaded},
		{"a longer name in the list", "nat", host(), func(h *fake.Host) { h.PutFile(builtins, "kernel/net/nf_nat.ko\n") }, item.Absent},
		{"still being initialised", "overlay", host(), func(h *fake.Host) { h.SetProc("/sys/module/overlay/initstate", "coming\n") }, item.Absent},
		{"in /proc/modules", "ip_vs", host(), func(h *fake.Host) { h.SetProc("/proc/modules", "ip_vs 1 0 - Live 0x0\n") }, kmod.Loaded},
		{"going, in /proc/modules", "ip_vs", host(), func(h *fake.Host) { h.SetProc("/proc/modules", "ip_vs 1 0 - Unloading 0x0\n") }, item.Absent},
		{"no sign", "ip_vs", host(), nil, item.Absent},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.prepare != nil {
				c.prepare(c.h)
			}
			if s := observe(t, c.h, c.module); s != c.want {
				t.Errorf("state %s, want %s", s, c.want)
			}
		})
	}
}

func TestUnreadableModuleListIsUnknown(t *testing.T) {
	h := host()
	h.FailRead("/proc/modules", fs.ErrPermission)
	if s, err := kmod.New(h.Machine(), "boot").Observe(t.Context(), kmod.Key("ip_vs")); s != item.Unknown || err == nil {
		t.Errorf("%s, %v", s, err)
	}
}

func TestMissingModuleNamesTheKernel(t *testing.T) {
	h := host()
	err := load(t, h, "br_netfilter")
	e := failure(t, err, kmod.ModuleUnavailable)
	release, _ := h.Sysctl("kernel/osrelease")
	if !strings.Contains(e.Message, "br_netfilter") || !strings.Contains(e.Message, "/lib/modules/"+release+" is missing") {
		t.Errorf("message %q", e.Message)
	}
	h.PutDir("/lib/modules/"+release, 0o755)
	e = failure(t, load(t, h, "br_netfilter"), kmod.ModuleUnavailable)
	if strings.Contains(e.Message, "missing") || !strings.Contains(e.Message, release) {
		t.Errorf("message %q", e.Message)
	}
}

func failure(t *testing.T, err error, reason item.Reason) *item.Error {
	t.Helper()
	var e *item.Error
	if !errors.As(err, &e) || e.Reason != reason {
		t.Fatalf("error %v, want reason %s", err, reason)
	}
	return e
}

func TestForbiddenModuleNamesTheLine(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		file  string
		line  int
	}{
		{"install false", map[string]string{"/etc/modprobe.d/cis.conf": "# no\n\ninstall br_netfilter /bin/false\n"}, "/etc/modprobe.d/cis.conf", 3},
		{"with a dash", map[string]string{"/etc/modprobe.d/cis.conf": "install br-netfilter /bin/true"}, "/etc/modprobe.d/cis.conf", 1},
		{"a pattern", map[string]string{"/etc/modprobe.d/cis.conf": "install br_* /bin/true"}, "/etc/modprobe.d/cis.conf", 1},
		{"a continued line", map[string]string{"/etc/modprobe.d/cis.conf": "blacklist x\ninstall \\\n br_netfilter \\\n /bin/true\n"}, "/etc/modprobe.d/cis.conf", 2},
		{"first of two files", map[string]string{
			"/usr/lib/modprobe.d/a.conf": "install br_netfilter /bin/true", "/etc/modprobe.d/b.conf": "install br_netfilter /bin/false",
		}, "/usr/lib/modprobe.d/a.conf", 1},
		{"hidden file", map[string]string{
			"/usr/lib/modprobe.d/b.conf": "install br_netfilter /bin/true", "/etc/modprobe.d/b.conf": "\ninstall br_netfilter /bin/false",
		}, "/etc/modprobe.d/b.conf", 2},
		{"a blacklist alone forbids nothing", map[string]string{"/etc/modprobe.d/b.conf": "blacklist br_netfilter"}, "", 0},
		{"no configuration", map[string]string{"/etc/modprobe.d/b.txt": "install br_netfilter /bin/false"}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := host(bridge)
			for file, content := range c.files {
				h.PutFile(file, content)
			}
			h.FailKernel("br_netfilter", machine.ErrForbidden)
			e := failure(t, load(t, h, "br_netfilter"), kmod.ModuleBlacklisted)
			if e.File != c.file || e.Line != c.line {
				t.Errorf("%s:%d, want %s:%d", e.File, e.Line, c.file, c.line)
			}
		})
	}
}

func TestModuleThatTheKernelRefuses(t *testing.T) {
	h := host(bridge)
	h.FailKernel("br_netfilter", fs.ErrPermission)
	denied := failure(t, load(t, h, "br_netfilter"), kmod.PermissionDenied)
	h.SetProc("/proc/cmdline", "quiet module_blacklist=foo,br-netfilter\n")
	listed := failure(t, load(t, h, "br_netfilter"), kmod.ModuleBlacklisted)
	if denied.Message == listed.Message || !strings.Contains(listed.Message, "module_blacklist=") {
		t.Errorf("messages %q, %q", denied.Message, listed.Message)
	}
}

// slow is a clock on which the key appears after some waits.
type slow struct {
	machine.Clock
	host         *fake.Host
	slept, after int
}

func (s *slow) Sleep(ctx context.Context, d time.Duration) error {
	if s.slept++; s.slept == s.after {
		s.host.SetModule(fake.Module{Name: "late", Keys: bridge.Keys})
		_ = s.host.Load("late")
	}
	return s.Clock.Sleep(ctx, d)
}

func TestKeyThatComesLateIsWaitedFor(t *testing.T) {
	h := host(fake.Module{Name: "br_netfilter"})
	m := h.Machine()
	s := &slow{Clock: m.Clock, host: h, after: 3}
	m.Clock = s
	if err := kmod.New(m, "boot").Apply(t.Context(), kmod.Key("br_netfilter"), item.Absent, kmod.Loaded); err != nil {
		t.Fatal(err)
	}
	if s.slept != 3 {
		t.Errorf("waited %d times", s.slept)
	}
}

func TestKeyThatNeverComesIsWaitedForFiveSeconds(t *testing.T) {
	h := host(fake.Module{Name: "br_netfilter"})
	start := h.Now()
	if err := load(t, h, "br_netfilter"); err != nil {
		t.Errorf("the module is loaded, its key is another item: %v", err)
	}
	if d := h.Now().Sub(start); d.Seconds() < 5 || d.Seconds() > 6 {
		t.Errorf("waited %v", d)
	}
}

func TestModulesAreNeverUnloaded(t *testing.T) {
	op := kmod.New(host(bridge).Machine(), "boot")
	if !op.Traits(kmod.Key("br_netfilter")).OneWay {
		t.Error("giving back would write")
	}
	if err := op.Apply(t.Context(), kmod.Key("br_netfilter"), kmod.Loaded, item.Absent); err == nil {
		t.Error("unloaded")
	}
}

func TestKeysThatComeWithAModule(t *testing.T) {
	for k, want := range map[item.Key]string{
		"sysctl/net.bridge.bridge-nf-call-iptables": "br_netfilter",
		"sysctl/net.netfilter.nf_conntrack_max":     "nf_conntrack",
		"sysctl/net.ipv4.vs.conntrack":              "ip_vs",
		"sysctl/net.ipv4.ip_forward":                "",
		"kmod/net.bridge.bridge-nf-call-iptables":   "",
	} {
		if module, ok := kmod.Bringing(k); module != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", k, module, ok)
		}
	}
}
