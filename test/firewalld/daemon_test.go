package firewalld_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/profile"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const root = "/run/firewalld-root"

// trust is what the stories wish: six bindings in each configuration.
const trust = `firewalld: {trustedInterfaces: [cilium_host, cilium_net, cilium_vxlan, cilium_geneve, "lxc+"], untrustedInterfaces: [lxcbr0]}`

func site(t testing.TB, spec string) []v1alpha1.HostProfile {
	t.Helper()
	text := "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec: {nodeSelector: {}, " + spec + "}\n"
	got, err := profile.Load("site.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// world is a host with a firewalld and no systemd, whose admin has a NIC in the zone
// public.
type world struct {
	*testbed.Firewalld
	t       *testing.T
	reloads int // by the admin
	monitor *monitor
}

func newWorld(t *testing.T, backend string) *world {
	t.Helper()
	w := &world{Firewalld: testbed.StartFirewalld(t, root, backend), t: t}
	w.Output("ip", "link", "add", "ext0", "type", "bridge")
	t.Cleanup(func() { _ = exec.Command("chroot", root, "ip", "link", "del", "ext0").Run() })
	for _, config := range []string{"", "--permanent"} {
		w.admin(config, "--zone=public", "--add-interface=ext0")
		w.admin(config, "--zone=public", "--add-port=6443/tcp")
	}
	w.monitor = startMonitor(t)
	t.Cleanup(w.reset)
	return w
}

// reset makes the next backend find files that were never changed.
func (w *world) reset() {
	w.Stop()
	w.Output("sh", "-c", "rm -rf /etc/firewalld/zones/* /var/lib/hostprofile /run/hostprofile")
}

// admin is firewall-cmd.
func (w *world) admin(args ...string) string {
	w.t.Helper()
	argv := []string{"firewall-cmd"}
	for _, a := range args {
		if a != "" {
			argv = append(argv, a)
		}
	}
	return w.Output(argv...)
}

func (w *world) reload() {
	w.t.Helper()
	w.reloads++
	w.Reload()
}

func (w *world) open() *hostops.Host {
	w.t.Helper()
	h, err := hostops.Open(w.t.Context(), hostops.Options{Root: root, Version: "test", Holder: "test", LockTimeout: time.Second})
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

func (w *world) up(spec string) item.Report {
	w.t.Helper()
	var given []v1alpha1.HostProfile
	if spec != "" {
		given = site(w.t, spec)
	}
	r, err := w.open().Up(w.t.Context(), given, hostops.UpOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) down() {
	w.t.Helper()
	r, err := w.open().Down(w.t.Context(), hostops.DownOptions{Purge: true})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, res := range r.Results() {
		if !res.OK() {
			w.t.Errorf("down: %s is %s: %s", res.Key, res.Outcome, res.Message)
		}
	}
}

// trusted wants the bindings in both configurations, as firewalld and its files tell them.
func (w *world) trusted(want ...string) {
	w.t.Helper()
	for _, config := range []string{"", "--permanent"} {
		w.interfaces(config, "trusted", want...)
	}
}

func (w *world) interfaces(config, zone string, want ...string) {
	w.t.Helper()
	if got := w.bound(config, zone); !same(got, want) {
		w.t.Errorf("zone %s has %q, want %q (%s)", zone, got, want, config)
	}
}

// bound are the interfaces in a zone. Of the files it is grep that says so.
func (w *world) bound(config, zone string) []string {
	w.t.Helper()
	if config == "" {
		return strings.Fields(strings.Trim(w.Call("org.fedoraproject.FirewallD1.zone.getInterfaces", "string:"+zone), "ary[] "))
	}
	return strings.Fields(w.Output("sh", "-c", `sed -n 's/.*interface name="\([^"]*\)".*/\1/p' /etc/firewalld/zones/`+zone+".xml 2>/dev/null || true"))
}

func same(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	seen := map[string]int{}
	for i := range a {
		seen[a[i]]++
		seen[b[i]]--
	}
	for _, n := range seen {
		if n != 0 {
			return false
		}
	}
	return true
}

// files are the bytes of everything below /etc/firewalld.
func (w *world) files() string {
	w.t.Helper()
	return w.Output("sh", "-c", "cd /etc/firewalld && find . -printf '%p %y %m %U %G\\n' | sort && find . -type f | sort | xargs sha256sum")
}

// zones are all zones in both configurations.
func (w *world) zones() string {
	w.t.Helper()
	return w.admin("--list-all-zones") + w.admin("--permanent", "--list-all-zones")
}

// monitor counts the calls on the bus that nobody of ours may make.
type monitor struct {
	out *strings.Builder
	cmd *exec.Cmd
}

func startMonitor(t *testing.T) *monitor {
	t.Helper()
	m := &monitor{out: &strings.Builder{}}
	m.cmd = exec.Command("chroot", root, "dbus-monitor", "--system", "type='method_call',destination='org.fedoraproject.FirewallD1'", "type='method_call',interface='org.fedoraproject.FirewallD1'")
	m.cmd.Stdout = m.out
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.cmd.Process.Kill(); _ = m.cmd.Wait() })
	return m
}

// reloadCalls ends the monitor and counts the calls by what they ask for.
func (m *monitor) reloadCalls() (reloads, all int) {
	_ = m.cmd.Process.Signal(exitSignal)
	_ = m.cmd.Wait()
	for line := range strings.Lines(m.out.String()) {
		if !strings.HasPrefix(line, "method call") {
			continue
		}
		all++
		for _, member := range []string{"reload", "completeReload", "runtimeToPermanent"} {
			if strings.HasSuffix(strings.TrimSpace(line), "member="+member) {
				reloads++
			}
		}
	}
	return reloads, all
}

// reasons are the reasons of the results, by key.
func reasons(r item.Report) string {
	var b strings.Builder
	for _, res := range r.Results() {
		if res.Reason != "" {
			fmt.Fprintf(&b, "%s %s %s\n", res.Key, res.Reason, res.Fix)
		}
	}
	return b.String()
}
