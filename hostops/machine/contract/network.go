package contract

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// network is a snapshot of links, addresses and default routes.
var network = []sentence{
	{"a fresh host has lo alone, switched off and without an address", func(t *testing.T, w World, m *machine.Machine) {
		s := snapshot(t, m)
		if len(s.Links) != 1 || len(s.Addresses) != 0 || len(s.Routes) != 0 {
			t.Fatalf("%+v", s)
		}
		if lo := s.Links[0]; lo.Name != "lo" || lo.Index != 1 || !lo.Loopback || lo.Up || lo.Hardware || lo.Kind != "" {
			t.Errorf("%+v", lo)
		}
	}},
	{"a link says what it is, and whether it is switched on", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		x := linkIn(t, m, "x0")
		if x.Kind != "bridge" || x.Up || !x.Hardware || x.Loopback || x.Master != 0 || x.Index != index(t, m, "x0") {
			t.Errorf("%+v", x)
		}
		w.SetUp("x0")
		if !linkIn(t, m, "x0").Up {
			t.Error("it is not up")
		}
	}},
	{"an address has its link and its network", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddAddress("x0", "192.0.2.10/24")
		want := machine.Address{Link: index(t, m, "x0"), Prefix: netip.MustParsePrefix("192.0.2.10/24"), Global: true}
		s := snapshot(t, m)
		if len(s.Addresses) != 1 || s.Addresses[0] != want {
			t.Errorf("%+v, want %+v", s.Addresses, want)
		}
		if !s.Has(netip.MustParseAddr("192.0.2.10")) || s.Has(netip.MustParseAddr("192.0.2.1")) {
			t.Error("Has is wrong")
		}
	}},
	{"a default route has its link, gateway, source and metric", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddAddress("x0", "192.0.2.10/24")
		w.SetUp("x0")
		w.AddDefaultRoute("x0", "192.0.2.1", "192.0.2.10", 7)
		want := machine.Route{
			Link: index(t, m, "x0"), Metric: 7,
			Gateway: netip.MustParseAddr("192.0.2.1"), Source: netip.MustParseAddr("192.0.2.10"),
		}
		if s := snapshot(t, m); len(s.Routes) != 1 || s.Routes[0] != want {
			t.Errorf("%+v, want %+v", s.Routes, want)
		}
	}},
	{"addresses and routes go with their link", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddAddress("x0", "192.0.2.10/24")
		w.SetUp("x0")
		w.AddDefaultRoute("x0", "192.0.2.1", "", 7)
		w.RemoveLink("x0")
		if s := snapshot(t, m); len(s.Links) != 1 || len(s.Addresses) != 0 || len(s.Routes) != 0 {
			t.Errorf("%+v", s)
		}
	}},
	{"an address that appears is told", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		told(t, m, func() { w.AddAddress("x0", "192.0.2.10/24") })
	}},
	{"a link that appears or goes is told", func(t *testing.T, w World, m *machine.Machine) {
		told(t, m, func() { w.AddLink("x0") })
		told(t, m, func() { w.RemoveLink("x0") })
	}},
	{"a route that appears is told", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddAddress("x0", "192.0.2.10/24")
		w.SetUp("x0")
		told(t, m, func() { w.AddDefaultRoute("x0", "192.0.2.1", "", 7) })
	}},
	{"listening ends with its context", func(t *testing.T, _ World, m *machine.Machine) {
		ctx, cancel := context.WithCancel(t.Context())
		changes, err := m.Network.Changes(ctx)
		works(t, "listen", err)
		cancel()
		deadline := time.After(5 * time.Second)
		for {
			select {
			case _, open := <-changes:
				if !open {
					return
				}
			case <-deadline:
				t.Fatal("the channel stays open")
			}
		}
	}},
}

func snapshot(t *testing.T, m *machine.Machine) machine.Snapshot {
	t.Helper()
	s, err := m.Network.Snapshot(t.Context())
	works(t, "snapshot", err)
	return s
}

func linkIn(t *testing.T, m *machine.Machine, name string) machine.Link {
	t.Helper()
	s := snapshot(t, m)
	for _, l := range s.Links {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("no link %s in %+v", name, s.Links)
	return machine.Link{}
}

// told does something that a listener must hear of.
func told(t *testing.T, m *machine.Machine, do func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changes, err := m.Network.Changes(ctx)
	works(t, "listen", err)
	do()
	select {
	case <-changes:
	case <-time.After(5 * time.Second):
		t.Error("nothing was told")
	}
}
