package sysctl_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func effects(t *testing.T, h *fake.Host, n sysctl.Name, from, to string) []string {
	t.Helper()
	list, err := sysctl.New(h.Machine(), "boot").Effects(t.Context(), sysctl.Key(n), sysctl.Value(n, from), sysctl.Value(n, to))
	check(t, err)
	var out []string
	for _, e := range list {
		s := fmt.Sprintf("%s %s->%s", e.Key.Name(), e.Follows, e.To)
		if e.Forced {
			s += " forced"
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func TestWhatAWriteChangesBesides(t *testing.T) {
	h := fake.New(fake.Link("eth1.5"))
	for _, c := range []struct {
		name     sysctl.Name
		from, to string
		want     []string
	}{
		{"net.ipv4.ip_forward", "0", "1", []string{
			"net.ipv4.conf.all.accept_redirects 1->0 forced",
			"net.ipv4.conf.default.forwarding 0->1 forced",
			"net.ipv4.conf.eth0.forwarding 0->1 forced",
			"net.ipv4.conf.eth1/5.forwarding 0->1 forced",
			"net.ipv4.conf.lo.forwarding 0->1 forced",
		}},
		{"net.ipv4.conf.all.forwarding", "1", "0", []string{
			"net.ipv4.conf.all.accept_redirects 0->1 forced",
			"net.ipv4.conf.default.forwarding 1->0 forced",
			"net.ipv4.conf.eth0.forwarding 1->0 forced",
			"net.ipv4.conf.eth1/5.forwarding 1->0 forced",
			"net.ipv4.conf.lo.forwarding 1->0 forced",
		}},
		{"net.ipv4.ip_forward", "1", "1", nil},
		{"net.ipv4.conf.default.rp_filter", "0", "2", []string{
			"net.ipv4.conf.eth0.rp_filter 0->2", "net.ipv4.conf.eth1/5.rp_filter 0->2", "net.ipv4.conf.lo.rp_filter 0->2",
		}},
		{"net.ipv4.conf.default.route_localnet", "0", "1", nil},
		{"net.ipv4.conf.default.forwarding", "0", "1", nil},
		{"net.ipv4.conf.all.rp_filter", "0", "1", nil},
		{"net.ipv6.conf.all.disable_ipv6", "0", "1", []string{
			"net.ipv6.conf.default.disable_ipv6 0->1 forced", "net.ipv6.conf.eth0.disable_ipv6 0->1 forced",
			"net.ipv6.conf.eth1/5.disable_ipv6 0->1 forced", "net.ipv6.conf.lo.disable_ipv6 0->1 forced",
		}},
		{"net.ipv6.conf.all.accept_ra", "1", "0", nil},
		{"net.ipv6.conf.default.forwarding", "0", "1", nil},
		{"net.ipv4.neigh.default.gc_thresh1", "128", "512", nil},
		{"kernel.watchdog", "1", "0", []string{"kernel.nmi_watchdog 1->0 forced", "kernel.soft_watchdog 1->0 forced"}},
		{"kernel.nmi_watchdog", "1", "0", nil},
		{"kernel.pid_max", "1", "2", nil},
	} {
		if got := effects(t, h, c.name, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s %s -> %s:\n got %q\nwant %q", c.name, c.from, c.to, got, c.want)
		}
	}
}

func TestCongestionControlThatIsAllowedChangesNothing(t *testing.T) {
	const allowed = "net/ipv4/tcp_allowed_congestion_control"
	h := fake.New(fake.Sysctl(allowed, "reno cubic"))
	if got := effects(t, h, "net.ipv4.tcp_congestion_control", "cubic", "reno"); got != nil {
		t.Errorf("effects %q", got)
	}
	want := []string{"net.ipv4.tcp_allowed_congestion_control (unknown)->bbr cubic reno forced"}
	if got := effects(t, h, "net.ipv4.tcp_congestion_control", "cubic", "bbr"); !slices.Equal(got, want) {
		t.Errorf("effects %q", got)
	}
}

func TestLastWatchdogTurnsTheSwitch(t *testing.T) {
	h := fake.New()
	check(t, h.SetSysctl("kernel/nmi_watchdog", "0"))
	want := []string{"kernel.watchdog 1->0 forced"}
	if got := effects(t, h, "kernel.soft_watchdog", "1", "0"); !slices.Equal(got, want) {
		t.Errorf("effects %q", got)
	}
}
