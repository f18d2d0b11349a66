package contract

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// FirewallWorld is a host with a firewalld that runs and has never been changed.
type FirewallWorld interface {
	Machine() *machine.Machine
	StopFirewalld()
	StartFirewalld()
	ReloadFirewalld()
}

type firewallSentence struct {
	says  string
	prove func(t *testing.T, w FirewallWorld, m *machine.Machine)
}

// RunFirewall proves every sentence about firewalld on a world of its own.
func RunFirewall(t *testing.T, world func(*testing.T) FirewallWorld) {
	for _, s := range firewallSentences {
		t.Run(s.says, func(t *testing.T) {
			w := world(t)
			s.prove(t, w, w.Machine())
		})
	}
}

var (
	running   = machine.Binding{Name: "cilium_host"}
	permanent = machine.Binding{Name: "cilium_host", Permanent: true}
	both      = []machine.Binding{running, permanent}
)

var firewallSentences = []firewallSentence{
	{"firewalld tells what it is", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		d, err := m.Firewall.Look(t.Context())
		works(t, "look", err)
		if d.State != machine.FirewallRunning || d.Version == "" || d.DefaultZone != "public" || d.Backend == "" {
			t.Errorf("%+v", d)
		}
		w.StopFirewalld()
		d, err = m.Firewall.Look(t.Context())
		works(t, "look at a stopped one", err)
		if d.State != machine.FirewallStopped || d.Version != "" || d.DefaultZone != "public" {
			t.Errorf("stopped: %+v", d)
		}
	}},
	{"each configuration is bound on its own", func(t *testing.T, _ FirewallWorld, m *machine.Machine) {
		for i, b := range both {
			bind(t, m, "trusted", b)
			in(t, m, b, "trusted")
			if i == 0 {
				in(t, m, permanent, "")
			}
		}
		works(t, "unbind", m.Firewall.Unbind(t.Context(), "trusted", running))
		in(t, m, running, "")
		in(t, m, permanent, "trusted")
	}},
	{"all that is bound is told at once", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		source := machine.Binding{Name: "198.51.100.0/24", Source: true}
		wildcard := machine.Binding{Name: "lxc+"}
		bind(t, m, "trusted", running)
		bind(t, m, "internal", source)
		bind(t, m, "public", wildcard)
		files := map[machine.Binding]string{{Name: "cilium_net", Permanent: true}: "trusted", {Name: "192.0.2.0/24", Permanent: true, Source: true}: "drop"}
		for b, zone := range files {
			bind(t, m, zone, b)
		}
		all := map[machine.Binding]string{running: "trusted", source: "internal", wildcard: "public"}
		maps.Copy(all, files)
		got, err := m.Firewall.Bound(t.Context())
		works(t, "ask", err)
		if !maps.Equal(got, all) {
			t.Errorf("%v, want %v", got, all)
		}
		w.StopFirewalld()
		got, err = m.Firewall.Bound(t.Context())
		works(t, "ask", err)
		if !maps.Equal(got, files) {
			t.Errorf("%v, want %v", got, files)
		}
	}},
	{"twice is no error", func(t *testing.T, _ FirewallWorld, m *machine.Machine) {
		for _, b := range both {
			bind(t, m, "trusted", b)
			bind(t, m, "trusted", b)
			works(t, "unbind", m.Firewall.Unbind(t.Context(), "trusted", b))
			works(t, "unbind again", m.Firewall.Unbind(t.Context(), "trusted", b))
		}
	}},
	{"what is in another zone stays there", func(t *testing.T, _ FirewallWorld, m *machine.Machine) {
		for _, b := range both {
			bind(t, m, "internal", b)
			fails(t, "bind", m.Firewall.Bind(t.Context(), "trusted", b), machine.ErrZoneConflict)
			fails(t, "unbind", m.Firewall.Unbind(t.Context(), "trusted", b), machine.ErrZoneConflict)
			in(t, m, b, "internal")
		}
	}},
	{"an unknown zone does not exist", func(t *testing.T, _ FirewallWorld, m *machine.Machine) {
		for _, b := range both {
			fails(t, "bind", m.Firewall.Bind(t.Context(), "nowhere", b), fs.ErrNotExist)
		}
	}},
	{"wildcards and sources are bound by their spelling", func(t *testing.T, _ FirewallWorld, m *machine.Machine) {
		for _, p := range []bool{false, true} {
			wildcard := machine.Binding{Name: "lxc+", Permanent: p}
			bind(t, m, "trusted", wildcard)
			in(t, m, wildcard, "trusted")
			in(t, m, machine.Binding{Name: "lxc1", Permanent: p}, "")
			source := machine.Binding{Name: "198.51.100.0/24", Source: true, Permanent: p}
			bind(t, m, "trusted", source)
			in(t, m, source, "trusted")
			works(t, "unbind", m.Firewall.Unbind(t.Context(), "trusted", source))
			in(t, m, source, "")
		}
	}},
	{"a reload keeps what is permanent and forgets the rest", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		bind(t, m, "trusted", running)
		w.ReloadFirewalld()
		in(t, m, running, "")
		bind(t, m, "trusted", permanent)
		w.ReloadFirewalld()
		in(t, m, running, "trusted")
	}},
	{"a stopped one has its files edited", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		bind(t, m, "trusted", running)
		w.StopFirewalld()
		in(t, m, running, "")
		fails(t, "bind", m.Firewall.Bind(t.Context(), "trusted", running), machine.ErrNotRunning)
		bind(t, m, "trusted", permanent)
		in(t, m, permanent, "trusted")
		fails(t, "bind", m.Firewall.Bind(t.Context(), "internal", permanent), machine.ErrZoneConflict)
		w.StartFirewalld()
		in(t, m, running, "trusted")
		w.StopFirewalld()
		works(t, "unbind", m.Firewall.Unbind(t.Context(), "trusted", permanent))
		w.StartFirewalld()
		in(t, m, running, "")
	}},
	{"a zone file is made by the first change and dropped again", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		there(t, m, zonefile.Path("trusted"), false)
		bind(t, m, "trusted", permanent)
		there(t, m, zonefile.Path("trusted"), true)
		there(t, m, zonefile.Backup("trusted"), false)
		first, err := m.Files.Read(zonefile.Path("trusted"))
		works(t, "read", err)
		works(t, "unbind", m.Firewall.Unbind(t.Context(), "trusted", permanent))
		holds(t, m, zonefile.Backup("trusted"), string(first))
		works(t, "drop", m.Firewall.DropZoneFile(t.Context(), "trusted"))
		there(t, m, zonefile.Path("trusted"), false)
		in(t, m, permanent, "")
		fails(t, "drop", m.Firewall.DropZoneFile(t.Context(), "trusted"), fs.ErrNotExist)
		bind(t, m, "trusted", permanent)
		w.ReloadFirewalld()
		in(t, m, running, "trusted")
	}},
	{"zones tell what they let in", func(t *testing.T, _ FirewallWorld, m *machine.Machine) {
		bind(t, m, "trusted", running)
		zones, err := m.Firewall.Zones(t.Context())
		works(t, "zones", err)
		names := map[string]machine.Zone{}
		for _, z := range zones {
			names[z.Name] = z
		}
		if z := names["trusted"]; z.Target != "ACCEPT" || !slices.Equal(z.Interfaces, []string{"cilium_host"}) {
			t.Errorf("trusted: %+v", z)
		}
		if z, ok := names["public"]; !ok || z.Target != "default" || len(names) != 2 {
			t.Errorf("public: %+v", names)
		}
	}},
	{"a zone tells its target, whether firewalld runs or not", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		look := func() {
			t.Helper()
			for zone, want := range map[string]string{"trusted": "ACCEPT", "public": "default", "drop": "DROP"} {
				if got, err := m.Firewall.ZoneTarget(t.Context(), zone); err != nil || got != want {
					t.Errorf("%s has the target %q, %v, want %q", zone, got, err, want)
				}
			}
			_, err := m.Firewall.ZoneTarget(t.Context(), "nowhere")
			fails(t, "look", err, fs.ErrNotExist)
		}
		look()
		w.StopFirewalld()
		look()
	}},
	{"events are told", func(t *testing.T, w FirewallWorld, m *machine.Machine) {
		ctx, cancel := context.WithCancel(t.Context())
		events, err := m.Firewall.FirewallEvents(ctx)
		works(t, "listen", err)
		bind(t, m, "trusted", running)
		await(t, events, machine.FirewallChanged)
		w.ReloadFirewalld()
		await(t, events, machine.FirewallReloaded)
		w.StopFirewalld()
		await(t, events, machine.FirewallEnded)
		w.StartFirewalld()
		await(t, events, machine.FirewallStarted)
		cancel()
		for range events {
			continue // until it is closed
		}
	}},
}

func bind(t *testing.T, m *machine.Machine, zone string, b machine.Binding) {
	t.Helper()
	if err := m.Firewall.Bind(t.Context(), zone, b); err != nil {
		t.Fatalf("bind %+v to %s: %v", b, zone, err)
	}
}

// in holds the zone of a binding against one.
func in(t *testing.T, m *machine.Machine, b machine.Binding, zone string) {
	t.Helper()
	if got, err := m.Firewall.ZoneOf(t.Context(), b); err != nil || got != zone {
		t.Errorf("%+v is in zone %q, want %q; %v", b, got, zone, err)
	}
}

func there(t *testing.T, m *machine.Machine, path string, want bool) {
	t.Helper()
	if _, err := m.Files.Lstat(path); (err == nil) != want {
		t.Errorf("%s: %v", path, err)
	}
}

func await(t *testing.T, events <-chan machine.FirewallEvent, want machine.FirewallEvent) {
	t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the channel was closed before %q", want)
			}
			if e == want {
				return
			}
		case <-timeout:
			t.Fatalf("%q was not told", want)
		}
	}
}
