package firewalld_test

import (
	"os"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	remote = "/usr/local/bin/bootstrap"
	yaml   = "/etc/hostprofile/site.yaml"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.RemoveShared()
	os.Exit(code)
}

// machine is a host with a systemd, a firewalld, and bootstrap as it is shipped.
type machine struct {
	*testbed.Container
	t *testing.T
}

func newMachine(t *testing.T, backend string) *machine {
	t.Helper()
	if testing.Short() {
		t.Skip("boots a container: not with -short")
	}
	// Only the machine's own root may use the iptables backend.
	m := &machine{t: t, Container: testbed.StartContainer(t, testbed.ContainerOptions{Privileged: backend == testbed.IPTables})}
	file, err := program.Shared()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Push(t.Context(), file, remote, 0o755); err != nil {
		t.Fatal(err)
	}
	m.sh("mkdir -p /etc/hostprofile && cat >" + yaml + " <<'END'\n" +
		"apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec: {nodeSelector: {}, " + trust + "}\nEND")
	m.sh("sed -i s/FirewallBackend=.*/FirewallBackend=" + backend + "/ /etc/firewalld/firewalld.conf && systemctl restart firewalld")
	return m
}

// sh runs a line of shell that must end well.
func (m *machine) sh(line string) string {
	m.t.Helper()
	return testbed.Output(m.t, m, "sh", "-c", line)
}

// bootstrap runs our program, which must end with 0.
func (m *machine) bootstrap(args ...string) string {
	m.t.Helper()
	r, err := m.Run(m.t.Context(), append([]string{remote}, args...)...)
	if err != nil {
		m.t.Fatal(err)
	}
	if r.ExitCode != 0 {
		m.t.Fatalf("bootstrap %s ended with %d:\n%s%s", strings.Join(args, " "), r.ExitCode, r.Stdout, r.Stderr)
	}
	return r.Stdout + r.Stderr
}

// up is a run by hand. Nothing else repairs the host: the unit has stories of its own.
func (m *machine) up() string   { m.t.Helper(); return m.bootstrap("up", "-f", yaml, "--no-unit") }
func (m *machine) down() string { m.t.Helper(); return m.bootstrap("down", "--yes", "--purge") }

// bound are the interfaces of a zone at run time, as firewalld itself says.
func (m *machine) bound(zone string) []string {
	m.t.Helper()
	return strings.Fields(m.sh("firewall-cmd --zone=" + zone + " --list-interfaces"))
}

func (m *machine) trusted(want ...string) {
	m.t.Helper()
	if got := m.bound("trusted"); !same(got, want) {
		m.t.Errorf("the zone trusted has %q, want %q", got, want)
	}
}

// files are the bytes of everything below /etc/firewalld.
func (m *machine) files() string {
	m.t.Helper()
	return m.sh("cd /etc/firewalld && find . -printf '%p %y %m %U %G\\n' | sort && find . -type f | sort | xargs sha256sum")
}

// mustBe holds a text against another one.
func mustBe(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// TestAHostWithSystemdAndFirewalld is the life of a host with the program as it is
// shipped: each act goes on where the last one ended.
func TestAHostWithSystemdAndFirewalld(t *testing.T) {
	for _, backend := range []string{testbed.NFTables, testbed.IPTables} {
		t.Run(backend, func(t *testing.T) {
			m := newMachine(t, backend)
			files := m.files()
			calls := m.watchCalls()
			t.Log(m.bootstrap("plan", "-f", yaml) + "\n" + m.up())
			m.trusted(all...)
			m.reload()
			m.trusted(all...)
			m.sh("systemctl restart firewalld")
			m.trusted(all...)
			m.conflict()
			m.masked()
			m.noReloads(calls)
			if backend == testbed.NFTables {
				m.pod()
			}

			if err := m.Reboot(t.Context()); err != nil {
				t.Fatal(err)
			}
			m.trusted(all...)
			calls = m.watchCalls()
			m.bootstrap("up")
			m.check()
			t.Log(m.bootstrap("status") + "\n" + m.down())
			m.trusted()
			mustBe(t, "/etc/firewalld after down", m.files(), files)
			m.whileStopped(files)
			m.noReloads(calls)
		})
	}
}

// reload is an admin's. It shows why nothing of ours does that: with either backend it
// takes away what others have in iptables.
func (m *machine) reload() {
	m.t.Helper()
	m.sh("iptables -N CILIUM_INPUT && nft add table ip foreign && systemctl reload firewalld")
	// systemctl does not wait for the end of it, and the bus answers in order.
	m.sh("until firewall-cmd --state; do sleep 0.1; done")
	if strings.Contains(m.sh("iptables-save"), "CILIUM_INPUT") {
		m.t.Error("the reload kept a chain of others: docs/firewalld.md says that it does not")
	}
	if !strings.Contains(m.sh("nft list tables"), "table ip foreign") {
		m.t.Error("the reload took a table of others: docs/firewalld.md says that it does not")
	}
}

// check tells the ports of the zone of the NIC. It ends with 1, for the control groups of
// a container.
func (m *machine) check() {
	m.t.Helper()
	m.sh(`ip link add ext0 type veth peer name ext1 && ip addr add 192.0.2.10/24 dev ext0 &&
ip link set ext0 up && ip link set ext1 up && ip route add default via 192.0.2.1 && firewall-cmd --zone=public --add-port=4240/tcp`)
	out := m.sh(remote + " check --profile cilium 2>&1 || true")
	for _, word := range []string{
		"zone public (ext0): 10250/tcp closed", "firewall-cmd --zone=public --add-port=10250/tcp", "zone public (ext0): 4240/tcp open",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), word) {
			m.t.Errorf("check does not say %q", word)
		}
	}
	m.t.Log(out)
}

// conflict: an interface in another zone stays there, and the program ends well.
func (m *machine) conflict() {
	m.t.Helper()
	m.sh("firewall-cmd --zone=internal --change-interface=cilium_net")
	out := m.bootstrap("up")
	for _, word := range []string{"ZoneConflict", "firewall-cmd --zone=trusted --change-interface=cilium_net"} {
		if !strings.Contains(out, word) {
			m.t.Errorf("up does not say %q:\n%s", word, out)
		}
	}
	if got := m.bound("internal"); !same(got, []string{"cilium_net"}) {
		m.t.Errorf("the zone internal has %q", got)
	}
	m.sh("firewall-cmd --zone=trusted --change-interface=cilium_net")
}

// masked: nothing is unmasked, started or changed.
func (m *machine) masked() {
	m.t.Helper()
	before := m.files()
	m.sh("systemctl mask --now firewalld")
	m.bootstrap("up", "-v")
	if out := m.bootstrap("check"); !strings.Contains(out, "firewalld is masked") {
		m.t.Errorf("check says:\n%s", out)
	}
	mustBe(m.t, "the unit", m.sh("systemctl is-enabled firewalld; systemctl is-active firewalld; true"), "masked\ninactive")
	mustBe(m.t, "/etc/firewalld", m.files(), before)
	m.sh("systemctl unmask firewalld && systemctl start firewalld")
	m.trusted(all...)
}

// whileStopped: up and down on a host whose firewalld does not run.
func (m *machine) whileStopped(files string) {
	m.t.Helper()
	m.sh("systemctl stop firewalld")
	m.up()
	m.sh("systemctl start firewalld")
	m.trusted(all...)
	m.sh("systemctl stop firewalld")
	m.down()
	mustBe(m.t, "/etc/firewalld after down while stopped", m.files(), files)
	m.sh("systemctl start firewalld")
	m.trusted()
}

// pod: a TCP connection from a pod to the node passes with the binding, and only with it.
func (m *machine) pod() {
	m.t.Helper()
	m.sh(`ip netns add pod && ip link add lxc1 type veth peer name eth0 netns pod &&
ip addr add 198.51.100.1/24 dev lxc1 && ip link set lxc1 up &&
ip -n pod addr add 198.51.100.2/24 dev eth0 && ip -n pod link set eth0 up && ip -n pod link set lo up`)
	server, err := m.Start(m.t.Context(), "python3", "-m", "http.server", "--bind", "198.51.100.1", "8080")
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = server.Kill() }()
	m.connect(true)
	m.sh("firewall-cmd --zone=trusted --remove-interface=lxc+")
	m.connect(false)
	m.bootstrap("up")
	m.connect(true)
}

func (m *machine) connect(want bool) {
	m.t.Helper()
	const client = `import socket, sys, time
for _ in range(50):
    try: socket.create_connection(("198.51.100.1", 8080), 2).close(); sys.exit(0)
    except ConnectionRefusedError: time.sleep(0.1)
    except OSError as e: print(e); sys.exit(1)
sys.exit(2)`
	r, err := m.Run(m.t.Context(), "ip", "netns", "exec", "pod", "python3", "-c", client)
	if err != nil {
		m.t.Fatal(err)
	}
	if (r.ExitCode == 0) != want {
		m.t.Errorf("a connection from the pod passes: %v (%s%s)", r.ExitCode == 0, r.Stdout, r.Stderr)
	}
}

// watchCalls starts to listen to the calls that firewalld gets.
func (m *machine) watchCalls() testbed.Process {
	m.t.Helper()
	p, err := m.Start(m.t.Context(), "dbus-monitor", "--system", "type='method_call',destination='org.fedoraproject.FirewallD1'", "type='method_call',interface='org.fedoraproject.FirewallD1'")
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}

// noReloads ends the listening: nobody but the admin reloaded firewalld. systemctl does it
// by a signal, so that no call at all may be one.
func (m *machine) noReloads(p testbed.Process) {
	m.t.Helper()
	_ = p.Kill()
	for line := range strings.Lines(p.Output()) {
		for _, member := range []string{"reload", "completeReload", "runtimeToPermanent"} {
			if strings.HasSuffix(strings.TrimSpace(line), "member="+member) {
				m.t.Errorf("somebody called %s: %s", member, line)
			}
		}
	}
	if !strings.Contains(p.Output(), "member=addInterface") && !strings.Contains(p.Output(), "member=getActiveZones") {
		m.t.Errorf("no call was seen at all:\n%.300s", p.Output())
	}
}
