package sysctl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// reasonOf returns the reason of an item's failure, empty if there is none.
func reasonOf(err error) item.Reason {
	if e := (*item.Error)(nil); errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

func observe(t *testing.T, h *fake.Host, n sysctl.Name) (item.State, error) {
	t.Helper()
	return sysctl.New(h.Machine(), "boot").Observe(t.Context(), sysctl.Key(n))
}

func TestObserveReadsCanonically(t *testing.T) {
	h := fake.New()
	for n, want := range map[sysctl.Name]string{
		"net.ipv4.tcp_rmem":            "4096 131072 6291456",
		"net.ipv4.conf.all.forwarding": "0",
		"vm.dirty_bytes":               "vm.dirty_ratio=20",
	} {
		if got, err := observe(t, h, n); got != item.Text(want) || err != nil {
			t.Errorf("%s reads %s, %v", n, got, err)
		}
	}
}

func TestDottedInterfaceNameIsNotSplit(t *testing.T) {
	h := fake.New(fake.Link("eth0.10"))
	got, err := observe(t, h, "net.ipv4.conf.eth0/10.rp_filter")
	if got != item.Text("0") || err != nil {
		t.Fatalf("the slash form reads %s, %v", got, err)
	}
	got, err = observe(t, h, "net.ipv4.conf.eth0.10.rp_filter")
	if got != item.Unknown || reasonOf(err) != sysctl.KeyNotFound {
		t.Fatalf("the dotted form reads %s, %v", got, err)
	}
	if !strings.Contains(err.Error(), "net.ipv4.conf.eth0/10.rp_filter") {
		t.Errorf("the slash form is not offered: %v", err)
	}
}

func TestDottedNameOfNoInterfaceOffersNothing(t *testing.T) {
	_, err := observe(t, fake.New(), "net.ipv4.conf.eth0.10.rp_filter")
	if reasonOf(err) != sysctl.KeyNotFound || strings.Contains(err.Error(), "slash") {
		t.Errorf("error %v", err)
	}
}

func TestAbsentInterfaceIsToldFromAMissingKey(t *testing.T) {
	h := fake.New()
	got, err := observe(t, h, "net.ipv4.conf.bond0/7.rp_filter")
	if got != item.Absent || reasonOf(err) != sysctl.InterfaceAbsent || !strings.Contains(err.Error(), "bond0.7") {
		t.Errorf("absent interface: %s, %v", got, err)
	}
	for _, n := range []sysctl.Name{"net.ipv4.conf.eth0.no_such_key", "net.bridge.bridge-nf-call-iptables", "net.ipv4.conf.all.no_such_key"} {
		if got, err := observe(t, h, n); got != item.Unknown || reasonOf(err) != sysctl.KeyNotFound {
			t.Errorf("%s: %s, %v", n, got, err)
		}
	}
}

func TestFailuresHaveTheirReasons(t *testing.T) {
	const somaxconn = "net/core/somaxconn"
	for _, c := range []struct {
		name   string
		break_ func(*fake.Host)
		key    sysctl.Name
		to     string
		reason item.Reason
	}{
		{"refused value", func(*fake.Host) {}, "net.core.somaxconn", "abc", sysctl.InvalidValue},
		{"read-only /proc/sys", func(h *fake.Host) { h.MountReadOnly("/proc/sys", true) }, "net.core.somaxconn", "1", sysctl.ReadOnlyProcSys},
		{"read-only key", func(h *fake.Host) { h.SetReadOnly(somaxconn, true) }, "net.core.somaxconn", "1", sysctl.PermissionDenied},
		{"a file over the key", func(h *fake.Host) { h.MountOver(somaxconn, true) }, "net.core.somaxconn", "1", sysctl.UnexpectedFilesystem},
		{"interface gone", func(h *fake.Host) { h.RemoveLink("eth0") }, "net.ipv4.conf.eth0.tag", "1", sysctl.InterfaceAbsent},
		{"key gone", func(h *fake.Host) { h.Hide(somaxconn) }, "net.core.somaxconn", "1", sysctl.KeyNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.New()
			c.break_(h)
			err := sysctl.New(h.Machine(), "boot").Apply(t.Context(), sysctl.Key(c.key), item.Text("0"), item.Text(c.to))
			if reasonOf(err) != c.reason {
				t.Errorf("error %v, want reason %s", err, c.reason)
			}
			if e := (*item.Error)(nil); errors.As(err, &e) && (e.Message == "" || e.Fix == "" && e.Reason != sysctl.InterfaceAbsent) {
				t.Errorf("no message, or nothing that helps: %+v", e)
			}
		})
	}
}

func TestKeyThatCannotBeReadIsUnknown(t *testing.T) {
	h := fake.New()
	h.SetWriteOnly("net/core/somaxconn", true)
	if got, err := observe(t, h, "net.core.somaxconn"); got != item.Unknown || reasonOf(err) != sysctl.PermissionDenied {
		t.Errorf("%s, %v", got, err)
	}
}

// TestReadOnlyProcSysStillReads: a value that is right needs no write.
func TestReadOnlyProcSysStillReads(t *testing.T) {
	h := fake.New()
	h.MountReadOnly("/proc/sys", true)
	if got, err := observe(t, h, "net.core.somaxconn"); got != item.Text("4096") || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestKeyFromATamperedLedgerStaysBelowProcSys(t *testing.T) {
	op := sysctl.New(fake.New().Machine(), "boot")
	for _, k := range []item.Key{"sysctl/../../etc/passwd", "sysctl/", "sysctl/a", "sysctl/net/ipv4/ip_forward"} {
		if got, err := op.Observe(t.Context(), k); got.Known() || err == nil {
			t.Errorf("%s reads %s", k, got)
		}
		if err := op.Apply(t.Context(), k, item.Text("0"), item.Text("1")); err == nil {
			t.Errorf("%s was written", k)
		}
	}
}

func TestPairIsOneItem(t *testing.T) {
	h := fake.New()
	op := sysctl.New(h.Machine(), "boot")
	k := sysctl.Key("vm.dirty_bytes")
	before, err := op.Observe(t.Context(), k)
	check(t, err)
	for _, want := range []item.State{
		sysctl.Value("vm.dirty_bytes", "1048576"), sysctl.Value("vm.dirty_ratio", "0"),
		sysctl.Value("vm.dirty_bytes", "2097152"), before,
	} {
		apply(t, op, k, want)
	}
	if v, _ := h.Sysctl("vm/dirty_ratio"); v != "20" {
		t.Errorf("given back, vm.dirty_ratio is %s", v)
	}
	if err := op.Apply(t.Context(), k, before, item.Text("vm.swappiness=1")); err == nil {
		t.Error("a state of another key was written")
	}
}

func TestInterfacesKeyEndsWithTheInterface(t *testing.T) {
	h := fake.New(fake.Link("lxc1"))
	op := sysctl.New(h.Machine(), "boot")
	epoch := func(n sysctl.Name) string { return op.Traits(sysctl.Key(n)).Epoch }
	first := epoch("net.ipv4.conf.lxc1.rp_filter")
	h.RemoveLink("lxc1")
	gone := epoch("net.ipv4.conf.lxc1.rp_filter")
	h.AddLink("lxc1")
	second := epoch("net.ipv4.conf.lxc1.rp_filter")
	if first == second || first == gone || gone == second {
		t.Errorf("incarnations %q, %q, %q", first, gone, second)
	}
	for _, n := range []sysctl.Name{"net.ipv4.conf.all.rp_filter", "net.ipv4.conf.default.rp_filter", "net.ipv4.ip_forward", "kernel.pid_max"} {
		if e := epoch(n); e != "boot" {
			t.Errorf("%s: epoch %q", n, e)
		}
	}
}

func TestMastersAreWrittenFirst(t *testing.T) {
	op := sysctl.New(fake.New().Machine(), "boot")
	order := []sysctl.Name{
		"net.ipv6.conf.eth0.accept_ra", "net.ipv4.ip_forward", "net.ipv4.conf.all.accept_redirects",
		"net.ipv4.conf.default.forwarding", "net.ipv4.conf.eth0.forwarding",
	}
	for i, n := range order[1:] {
		if op.Traits(sysctl.Key(order[i])).Rank >= op.Traits(sysctl.Key(n)).Rank {
			t.Errorf("%s is not written before %s", order[i], n)
		}
	}
	switched, parts := op.Traits("sysctl/kernel.watchdog").Rank, op.Traits("sysctl/kernel.nmi_watchdog").Rank
	if switched >= parts {
		t.Error("the watchdogs are written before their switch")
	}
}
