package sysctl_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// Lines of /proc/net/ipv6_route: a default route that the kernel learned from a router,
// one that an admin made, and a prefix that a router announced.
const (
	learned  = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00450003       "
	static   = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003       "
	prefixed = "20010db8000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00440001       "
)

func routedHost(lines ...string) *fake.Host {
	h := fake.New(fake.Link("eth1"))
	h.SetProc(paths.IPv6Routes, strings.Join(lines, "\n")+"\n")
	return h
}

func TestForwardingBringsAcceptRAOnRoutersLinks(t *testing.T) {
	forward := wish("net.ipv6.conf.all.forwarding", "1")
	forward.Required, forward.Source = true, item.Source{Profile: "kubernetes"}
	explicit := wish("net.ipv6.conf.eth0.accept_ra", "2")
	against := wish("net.ipv6.conf.eth0.accept_ra", "0")
	free := wish("net.ipv6.conf.eth0.accept_ra", "")
	free.Unmanaged = true
	eth0 := "net.ipv6.conf.eth0.accept_ra"
	for _, c := range []struct {
		name    string
		routes  []string
		wants   []item.Want
		owned   []item.Key
		live    string // accept_ra of eth0
		derived []string
		blocked []string
	}{
		{"a router's route", []string{learned + "eth0", static + "eth1", prefixed + "eth1"}, []item.Want{forward}, nil, "1", []string{eth0}, nil},
		{"an admin's route", []string{static + "eth0", prefixed + "eth0"}, []item.Want{forward}, nil, "1", nil, nil},
		{"forwarding on one link is as bad", []string{learned + "eth0"}, []item.Want{wish("net.ipv6.conf.eth1.forwarding", "1")}, nil, "1", []string{eth0}, nil},
		{"forwarding for links to come", []string{learned + "eth0"}, []item.Want{wish("net.ipv6.conf.default.forwarding", "1")}, nil, "1", nil, nil},
		{"forwarding off", []string{learned + "eth0"}, []item.Want{wish("net.ipv6.conf.all.forwarding", "0")}, nil, "1", nil, nil},
		{"forwarding of IPv4", []string{learned + "eth0"}, []item.Want{wish("net.ipv4.ip_forward", "1")}, nil, "1", nil, nil},
		{"wished already", []string{learned + "eth0"}, []item.Want{forward, explicit}, nil, "1", nil, nil},
		{"a wish against it", []string{learned + "eth0"}, []item.Want{forward, against}, nil, "1", nil, []string{"net.ipv6.conf.all.forwarding"}},
		{"a wish against it, without a route", nil, []item.Want{forward, against}, nil, "1", nil, nil},
		{"nobody may set it, and it is wrong", []string{learned + "eth0"}, []item.Want{free, forward}, nil, "1", nil, []string{"net.ipv6.conf.all.forwarding"}},
		{"nobody may set it, and it is right", []string{learned + "eth0"}, []item.Want{free, forward}, nil, "2", nil, nil},
		{"ours, and the route is away", nil, []item.Want{forward}, []item.Key{sysctl.Key(sysctl.Name(eth0)), forward.Key}, "2", []string{eth0}, nil},
		{"ours, and the link is away", nil, []item.Want{forward}, []item.Key{"sysctl/net.ipv6.conf.eth9.accept_ra"}, "1", []string{"net.ipv6.conf.eth9.accept_ra"}, nil},
		{"ours once, for another value", nil, []item.Want{forward}, []item.Key{sysctl.Key(sysctl.Name(eth0))}, "0", nil, nil},
		{"an admin's own 2", nil, []item.Want{forward}, nil, "2", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := routedHost(c.routes...)
			check(t, h.SetSysctl("net/ipv6/conf/eth0/accept_ra", c.live))
			got, err := sysctl.New(h.Machine(), "boot").Prerequisites(t.Context(), c.wants, c.owned)
			check(t, err)
			var derived, blocked []string
			for _, w := range got.Wants {
				derived = append(derived, w.Key.Name())
				if w.State != item.Text("2") || w.Volatile || w.Source != c.wants[0].Source {
					t.Errorf("derived %+v", w)
				}
			}
			for k, e := range got.Blocked {
				blocked = append(blocked, k.Name())
				if e.Reason != sysctl.WouldLoseDefaultRoute || e.Fix == "" {
					t.Errorf("blocked for %+v", e)
				}
			}
			if !slices.Equal(derived, c.derived) || !slices.Equal(blocked, c.blocked) {
				t.Errorf("derived %q, blocked %q", derived, blocked)
			}
		})
	}
}

func TestForwardingIsNotWrittenWhileARouteWouldBeLost(t *testing.T) {
	h := routedHost(learned + "eth0")
	op := sysctl.New(h.Machine(), "boot")
	for _, n := range []sysctl.Name{"net.ipv6.conf.all.forwarding", "net.ipv6.conf.eth1.forwarding"} {
		if err := op.Apply(t.Context(), sysctl.Key(n), item.Text("0"), item.Text("1")); reasonOf(err) != sysctl.WouldLoseDefaultRoute {
			t.Errorf("%s: %v", n, err)
		}
		if v, _ := h.Sysctl(n.Path()); v != "0" {
			t.Errorf("%s is %s", n, v)
		}
	}
	check(t, h.SetSysctl("net/ipv6/conf/eth0/accept_ra", "2"))
	check(t, op.Apply(t.Context(), "sysctl/net.ipv6.conf.all.forwarding", item.Text("0"), item.Text("1")))
}

func TestHostWithoutIPv6HasNoRouteToLose(t *testing.T) {
	got, err := sysctl.New(fake.New().Machine(), "boot").Prerequisites(t.Context(), []item.Want{wish("net.ipv6.conf.all.forwarding", "1")}, nil)
	if err != nil || len(got.Wants)+len(got.Blocked) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
