package linux_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const firewallRoot = "/run/firewalld-root"

// daemonUser is a user that every host has and that is not root.
const daemonUser = 1

// realFirewalld starts one in a sandbox, where the test runs once more. It is nil outside,
// after the test there has ended.
func realFirewalld(t *testing.T) *testbed.Firewalld {
	t.Helper()
	if testing.Short() {
		t.Skip("starts firewalld: not with -short")
	}
	if testbed.Reexec(t, testbed.SandboxOptions{Root: firewallRoot}) {
		return nil
	}
	return testbed.StartFirewalld(t, firewallRoot, testbed.NFTables)
}

// TestTheRealFirewalldKeepsTheContract plays the contract on firewalld itself, with the
// backend that most hosts have.
func TestTheRealFirewalldKeepsTheContract(t *testing.T) {
	f := realFirewalld(t)
	if f == nil {
		return
	}
	m, err := linux.New(firewallRoot)
	must(t, err)
	contract.RunFirewall(t, func(t *testing.T) contract.FirewallWorld {
		w := &firewallWorld{t: t, daemon: f, machine: m}
		t.Cleanup(w.reset)
		return w
	})
}

type firewallWorld struct {
	t       *testing.T
	daemon  *testbed.Firewalld
	machine *machine.Machine
}

func (w *firewallWorld) Machine() *machine.Machine { return w.machine }
func (w *firewallWorld) StopFirewalld()            { w.daemon.Stop() }
func (w *firewallWorld) StartFirewalld()           { w.daemon.Start() }
func (w *firewallWorld) ReloadFirewalld()          { w.daemon.Reload() }

// reset makes the next sentence find a firewalld that was never changed.
func (w *firewallWorld) reset() {
	w.daemon.Stop()
	files, err := filepath.Glob(firewallRoot + "/etc/firewalld/zones/*")
	must(w.t, err)
	for _, file := range files {
		must(w.t, os.Remove(file))
	}
	w.daemon.Start()
}

// TestAnImpostorIsNotAsked: whoever is not root and holds the name decides nothing.
func TestAnImpostorIsNotAsked(t *testing.T) {
	f := realFirewalld(t)
	if f == nil {
		return
	}
	f.Stop()
	f.Impostor(daemonUser)
	m, err := linux.New(firewallRoot)
	must(t, err)
	b := machine.Binding{Name: "cilium_host", Permanent: true}
	_, look := m.Firewall.Look(t.Context())
	_, zone := m.Firewall.ZoneOf(t.Context(), b)
	for what, err := range map[string]error{"look": look, "zone": zone, "bind": m.Firewall.Bind(t.Context(), "trusted", b)} {
		if !errors.Is(err, machine.ErrImpostor) || !strings.Contains(err.Error(), "id 1:") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestASilentBusIsGivenUp: a bus that takes the connection and says nothing.
func TestASilentBusIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for five seconds: not with -short")
	}
	root := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, "run/dbus"), 0o755))
	l, err := net.Listen("unix", filepath.Join(root, "run/dbus/system_bus_socket"))
	must(t, err)
	defer func() { must(t, l.Close()) }()
	m, err := linux.New(root)
	must(t, err)
	start := time.Now()
	_, err = m.Firewall.Look(t.Context())
	if took := time.Since(start); err == nil || took > 7*time.Second || !strings.Contains(err.Error(), "message bus does not answer") {
		t.Errorf("after %s: %v", took, err)
	}
}

// TestAKilledBusOfFirewalldIsTold: in the middle of a call, and between two.
func TestAKilledBusOfFirewalldIsTold(t *testing.T) {
	f := realFirewalld(t)
	if f == nil {
		return
	}
	m, err := linux.New(firewallRoot)
	must(t, err)
	must(t, m.Firewall.Bind(t.Context(), "trusted", lxc))

	f.KillBus()
	start := time.Now()
	wentAway(t, "between two calls", start, m.Firewall.Bind(t.Context(), "trusted", machine.Binding{Name: "cilium_host", Permanent: true}))
	file, err := m.Files.Read("/etc/firewalld/zones/trusted.xml")
	must(t, err)
	if strings.Contains(string(file), "cilium_host") {
		t.Errorf("a file was edited:\n%s", file)
	}

	f.Stop()
	f.StartBus()
	asked := f.Mute()
	result := make(chan error, 1)
	go func() { _, err := m.Firewall.ZoneOf(t.Context(), lxc); result <- err }()
	<-asked
	start = time.Now()
	f.KillBus()
	wentAway(t, "in a call", start, <-result)

	f.StartBus()
	f.Start()
	if zone, err := m.Firewall.ZoneOf(t.Context(), lxc); err != nil || zone != "trusted" {
		t.Errorf("with a new bus: %q, %v", zone, err)
	}
}
