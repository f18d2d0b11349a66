package command_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const addressSite = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  name: site-workers
spec:
  nodeSelector: {}
  sysctls:
    - name: vm.swappiness
      value: 10
  nodeIP: {}
`

// threeCards is a host with a card for nodes, on which a VIP was put, one for a second
// uplink, one for storage, and the bridge of a container engine.
func threeCards(t *testing.T) (*world, string) {
	t.Helper()
	w := newWorld(t, fake.Link("eth1"), fake.Link("eth2"))
	w.host.PutDir("/etc/systemd/system", 0o755)
	w.host.AddIP("eth0", "192.0.2.2/32")
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.host.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	w.host.AddIP("eth1", "198.51.100.10/24")
	w.host.AddDefaultRoute("eth1", "198.51.100.1", "", 200)
	w.host.AddIP("eth2", "10.20.0.10/24")
	w.host.SetLink("docker0", func(l *machine.Link) { l.Up, l.Carrier = true, true })
	w.host.AddIP("docker0", "172.17.0.1/16")
	w.host.AddIP("eth0", "fe80::5054:ff:fe12:3456/64", func(a *machine.Address) { a.Global = false })
	return w, w.file("site.yaml", addressSite)
}

func TestNodeIPPrintsTheAddressAlone(t *testing.T) {
	w, site := threeCards(t)
	before := w.host.Mutations()
	for _, args := range [][]string{{"node-ip"}, {"node-ip", "-f", site}, {"node-ip", "-f", site, "--explain"}, {"node-ip", "-q"}} {
		if a := w.must(0, args...); a.stdout != "192.0.2.10\n" {
			t.Errorf("%v prints %q", args, a.stdout)
		}
	}
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d writes", n)
	}
}

func TestNodeIPExplainsItself(t *testing.T) {
	w, site := threeCards(t)
	golden(t, "node-ip-explain.txt", w.must(0, "node-ip", "-f", site, "--explain"))
	golden(t, "node-ip.json", w.must(0, "node-ip", "-f", site, "-o", "json"))
	golden(t, "node-ip-kubeadm.txt", w.must(0, "node-ip", "-f", site, "-o", "kubeadm"))
	w.host.AddIP("eth0", "2001:db8::10/64")
	w.host.AddDefaultRoute("eth0", "fe80::1", "", 1024)
	both := w.file("both.yaml", strings.Replace(addressSite, "nodeIP: {}", "nodeIP: {ipFamilies: [IPv4, IPv6]}", 1))
	golden(t, "node-ip-both.txt", w.must(0, "node-ip", "-f", both, "--explain"))
}

func TestNodeIPRefusesToGuess(t *testing.T) {
	w, _ := threeCards(t)
	w.host.AddDefaultRoute("eth1", "198.51.100.1", "", 100)
	golden(t, "node-ip-ambiguous.txt", w.must(1, "node-ip"))
	golden(t, "node-ip-ambiguous.json", w.must(1, "node-ip", "-o", "json"))
	if a := w.must(0, "node-ip", "--node-ip", "198.51.100.10"); a.stdout != "198.51.100.10\n" {
		t.Errorf("%q", a.stdout)
	}
	w.env = map[string]string{"NODE_IP": "10.20.0.10"}
	if a := w.must(0, "node-ip"); a.stdout != "10.20.0.10\n" {
		t.Errorf("%q", a.stdout)
	}
}

func TestNodeIPWaitsAsLongAsItIsTold(t *testing.T) {
	for _, tt := range []struct {
		args []string
		wait time.Duration
	}{{nil, 30 * time.Second}, {[]string{"--wait", "5s"}, 5 * time.Second}, {[]string{"--wait", "0s"}, 0}} {
		w := newWorld(t)
		began := w.host.Now()
		golden(t, "node-ip-none.txt", w.must(1, append([]string{"node-ip"}, tt.args...)...))
		if waited := w.host.Now().Sub(began); waited != tt.wait {
			t.Errorf("%v: waited %v", tt.args, waited)
		}
	}
}

func TestUpKeepsTheAddress(t *testing.T) {
	w, site := threeCards(t)
	golden(t, "node-ip-plan.txt", w.must(0, "plan", "-f", site))
	golden(t, "node-ip-up.txt", w.must(0, "up", "-f", site))
	golden(t, "node-ip-up-again.txt", w.must(0, "up", "-f", site))
	golden(t, "node-ip-status.txt", w.must(0, "status"))
	golden(t, "node-ip-saved.txt", w.must(0, "node-ip", "--explain"))
	golden(t, "node-ip-down.txt", w.must(0, "down", "--dry-run"))
	w.must(0, "down", "--yes")
	if a := w.must(0, "node-ip", "--node-ip", "10.20.0.10"); a.stdout != "10.20.0.10\n" {
		t.Error("something is kept")
	}
}

func TestADropInOfTheKubeletNeedsAReload(t *testing.T) {
	w, _ := threeCards(t)
	site := w.file("kubeadm.yaml", strings.Replace(addressSite, "nodeIP: {}", "nodeIP: {publish: Kubeadm}", 1))
	golden(t, "node-ip-reload.txt", w.must(0, "up", "-f", site))
}

func TestANodeMovesOnPurposeOnly(t *testing.T) {
	w, site := threeCards(t)
	w.must(0, "up", "-f", site)
	before := w.host.String()
	golden(t, "node-ip-move.txt", w.must(3, "up", "--node-ip", "198.51.100.10"))
	golden(t, "node-ip-move.json", w.must(3, "up", "--node-ip", "198.51.100.10", "-o", "json"))
	golden(t, "node-ip-move-look.txt", w.must(1, "node-ip", "--node-ip", "198.51.100.10"))
	if w.host.String() != before {
		t.Error("the host is touched")
	}
	golden(t, "node-ip-moved.txt", w.must(0, "up", "--node-ip", "198.51.100.10", "--move-node-ip"))
	if env, _ := w.host.File("/etc/hostprofile/node.env"); !strings.Contains(env, "NODE_IP=198.51.100.10\n") {
		t.Errorf("%q", env)
	}
}

func TestALostAddressIsToldWithBothAddresses(t *testing.T) {
	w, site := threeCards(t)
	w.must(0, "up", "-f", site)
	w.host.RemoveIP("eth0", "192.0.2.10")
	w.host.AddIP("eth0", "192.0.2.77/24")
	before := w.host.String()
	golden(t, "node-ip-lost.txt", w.must(3, "up", "-f", site))
	golden(t, "node-ip-lost-status.txt", w.must(1, "status"))
	golden(t, "node-ip-lost-look.txt", w.must(1, "node-ip"))
	if w.host.String() != before {
		t.Error("the host is touched")
	}
}

func TestSectionsThatDisagreeAreNamed(t *testing.T) {
	w, site := threeCards(t)
	other := w.file("other.yaml", strings.NewReplacer("site-workers", "team", "nodeIP: {}", "nodeIP: {publish: K3s, subnets: [\"192.0.2.0/24\"]}").Replace(addressSite))
	golden(t, "node-ip-conflict.json", w.must(2, "validate", "-f", site, "-f", other, "-o", "json"))
}

func TestBadAddressesOnTheCommandLine(t *testing.T) {
	w, site := threeCards(t)
	for _, args := range [][]string{
		{"up", "-f", site, "--node-ip", "127.0.0.1"}, {"up", "-f", site, "--node-ip", "192.0.2.010"}, {"node-ip", "--node-ip", " 192.0.2.10"},
		{"up", "-f", site, "--move-node-ip"}, {"node-ip", "-o", "nonsense"}, {"node-ip", "--node-ip", "fe80::1%eth0"},
	} {
		a := w.must(2, args...)
		if a.stdout != "" || a.stderr == "" {
			t.Errorf("%v: %q, %q", args, a.stdout, a.stderr)
		}
	}
}

// TestPlanTakesTheAddressThatUpTakes: plan with the flags of up says what up with them does.
func TestPlanTakesTheAddressThatUpTakes(t *testing.T) {
	w := newWorld(t)
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.host.AddIP("eth0", "192.0.2.11/24")
	site := w.file("site.yaml", "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec: {nodeSelector: {}, nodeIP: {publish: EnvironmentFile}}\n")
	if a := w.must(0, "plan", "-f", site, "--node-ip", "192.0.2.10"); !strings.Contains(a.stdout, "192.0.2.10") {
		t.Errorf("%s", a.stdout)
	}
	w.must(0, "up", "-f", site, "--node-ip", "192.0.2.10")
	w.must(3, "plan", "--node-ip", "192.0.2.11")
	if a := w.must(0, "plan", "--node-ip", "192.0.2.11", "--move-node-ip"); !strings.Contains(a.stdout, "192.0.2.11") {
		t.Errorf("%s", a.stdout)
	}
	for _, command := range []string{"plan", "up"} {
		w.must(2, command, "--move-node-ip")
		w.must(2, command, "--node-ip", "127.0.0.1")
		w.must(2, command, "--root", "/mnt", "--node-ip", "192.0.2.10")
	}
	w.must(0, "status")
}
