package linux_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// soon is how long a call may take whose bus has died: it is noticed, and not waited for.
const soon = 4 * time.Second

var lxc = machine.Binding{Name: "lxc+", Permanent: true}

// withFirewalld is a host with a message bus on which a firewalld answers.
func withFirewalld(t *testing.T) (*fakeBus, *machine.Machine) {
	t.Helper()
	root := t.TempDir()
	b := newFakeBus(t, filepath.Join(root, "run/dbus/system_bus_socket"), map[string][]any{
		"Hello": {":1.7"}, "GetNameOwner": {":1.2"}, "GetConnectionUnixUser": {uint32(0)},
		"Get": {dbus.MakeVariant("2.0")}, "getDefaultZone": {"public"}, "getZoneOfInterface": {"trusted"},
	})
	m, err := linux.New(root)
	must(t, err)
	return b, m
}

// wentAway wants an error that is told at once and names the bus.
func wentAway(t *testing.T, when string, start time.Time, err error) {
	t.Helper()
	if took := time.Since(start); !errors.Is(err, machine.ErrBusWentAway) || !errors.Is(err, machine.ErrWentAway) || took > soon {
		t.Errorf("%s, after %s: %v", when, took, err)
	}
}

func TestABusThatDiesInACallIsTold(t *testing.T) {
	for _, method := range []string{"Hello", "GetNameOwner", "GetConnectionUnixUser", "Get", "getDefaultZone"} {
		b, m := withFirewalld(t)
		b.diesAt = method
		start := time.Now()
		_, err := m.Firewall.Look(t.Context())
		wentAway(t, "in "+method, start, err)
	}
}

// A bus that was there a moment ago and is gone is no host without one: its firewalld may
// run still, or be starting again, and its files are not edited.
func TestABusThatDiesBetweenTwoCallsIsTold(t *testing.T) {
	for what, ask := range map[string]func(m *machine.Machine) error{
		"look":   func(m *machine.Machine) error { _, err := m.Firewall.Look(t.Context()); return err },
		"zone":   func(m *machine.Machine) error { _, err := m.Firewall.ZoneOf(t.Context(), lxc); return err },
		"bind":   func(m *machine.Machine) error { return m.Firewall.Bind(t.Context(), "public", lxc) },
		"unbind": func(m *machine.Machine) error { return m.Firewall.Unbind(t.Context(), "public", lxc) },
		"drop":   func(m *machine.Machine) error { return m.Firewall.DropZoneFile(t.Context(), "trusted") },
		"zones":  func(m *machine.Machine) error { _, err := m.Firewall.Zones(t.Context()); return err },
	} {
		b, m := withFirewalld(t)
		_, err := m.Firewall.Look(t.Context())
		must(t, err)
		b.die()
		start := time.Now()
		wentAway(t, what, start, ask(m))
		if d, err := m.Firewall.Look(t.Context()); err != nil || d.State != machine.FirewallAbsent {
			t.Errorf("%s: a bus that stays away: %+v, %v", what, d, err)
		}
	}
}

// A firewalld that is restarted has another name on the bus, and the bus says of the old
// one that nobody has it: between any two questions.
func TestAFirewalldThatChangesItsNameWentAway(t *testing.T) {
	for method, name := range map[string]refusal{
		"GetConnectionUnixUser": "org.freedesktop.DBus.Error.NameHasNoOwner",
		"getZoneOfInterface":    "org.freedesktop.DBus.Error.ServiceUnknown",
	} {
		b, m := withFirewalld(t)
		b.answers[method] = []any{name}
		_, err := m.Firewall.ZoneOf(t.Context(), lxc)
		if !errors.Is(err, machine.ErrWentAway) || !strings.Contains(err.Error(), "firewalld went away") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// TestAFileThatSaysSomethingTwiceSaysItOnce: what is asked at once is what is asked one by
// one.
func TestAFileThatSaysSomethingTwiceSaysItOnce(t *testing.T) {
	root := t.TempDir()
	zones := filepath.Join(root, "etc/firewalld/zones")
	must(t, os.MkdirAll(zones, 0o755))
	const twice = `<zone><interface name="lxc+"/><interface name="lxc+"/></zone>`
	for _, zone := range []string{"internal", "trusted"} {
		must(t, os.WriteFile(filepath.Join(zones, zone+".xml"), []byte(twice), 0o644))
	}
	m, err := linux.New(root)
	must(t, err)
	bound, err := m.Firewall.Bound(t.Context())
	must(t, err)
	one, err := m.Firewall.ZoneOf(t.Context(), lxc)
	must(t, err)
	if bound[lxc] != "internal trusted" || one != bound[lxc] {
		t.Errorf("at once %q, one by one %q", bound[lxc], one)
	}
}
