package host_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// What kubeadm's packages install, as their files are.
const (
	kubeletUnit = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`
	kubeadmDropIn = `# Note: This dropin only works with kubeadm and kubelet v1.11+
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
# This is a file that "kubeadm init" and "kubeadm join" generates at runtime, populating the KUBELET_KUBEADM_ARGS variable dynamically
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
# This is a file that the user can use for overrides of the kubelet args as a last resort. Preferably, the user should use
# the .NodeRegistration.KubeletExtraArgs object in the configuration files instead. KUBELET_EXTRA_ARGS should be sourced from this file.
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`
	// plainUnit is a unit that somebody wrote himself around the environment file.
	plainUnit = `[Service]
EnvironmentFile=/etc/hostprofile/node.env
ExecStart=/usr/bin/kubelet --node-ip=${NODE_IP}
`
	// standIn is a kubelet that writes down how it was called.
	standIn = "#!/bin/sh\nprintf '%s\\n' \"$@\" >/run/kubelet.args\nexec sleep infinity\n"
)

// systemd is a systemd container with a network card, a kubelet of kubeadm's and ours.
type systemd struct {
	*testbed.Container
	t *testing.T
}

func newSystemd(t *testing.T) *systemd {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a container: not with -short")
	}
	file, err := program.Shared()
	if err != nil {
		t.Fatal(err)
	}
	s := &systemd{testbed.StartContainer(t, testbed.ContainerOptions{}), t}
	s.sh("mkdir -p /srv/test /usr/lib/systemd/system/kubelet.service.d")
	if err := s.Push(t.Context(), file, "/srv/test/bootstrap", 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("/usr/bin/kubelet", standIn, 0o755)
	s.write("/usr/lib/systemd/system/kubelet.service", kubeletUnit, 0o644)
	s.write("/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf", kubeadmDropIn, 0o644)
	s.sh("ip link add eth0 type ifb && ip link set eth0 up && ip addr add 192.0.2.10/24 dev eth0 && ip route add default via 192.0.2.1")
	return s
}

func (s *systemd) sh(line string) string {
	s.t.Helper()
	return testbed.Output(s.t, s, "sh", "-c", line)
}

func (s *systemd) write(path, content string, mode os.FileMode) {
	s.t.Helper()
	local := filepath.Join(s.t.TempDir(), "file") // read by the container's root, who is nobody outside
	if err := os.WriteFile(local, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
	if err := s.Push(s.t.Context(), local, path, mode); err != nil {
		s.t.Fatal(err)
	}
}

// up applies a section nodeIP and returns what people see.
func (s *systemd) up(section string, flags ...string) string {
	s.t.Helper()
	s.write("/srv/test/site.yaml", "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec:\n  nodeSelector: {}\n  nodeIP: "+section+"\n", 0o644)
	return testbed.Output(s.t, s, append([]string{"/srv/test/bootstrap", "up", "-f", "/srv/test/site.yaml"}, flags...)...)
}

// restarted returns what a kubelet is called with that is started now.
func (s *systemd) restarted() []string {
	s.t.Helper()
	s.sh("rm -f /run/kubelet.args; systemctl daemon-reload; systemctl restart kubelet; for i in $(seq 50); do test -s /run/kubelet.args && break; sleep 0.1; done")
	return strings.Split(s.sh("cat /run/kubelet.args"), "\n")
}

// nodeIPs returns the values of --node-ip in order: a kubelet takes the last.
func nodeIPs(args []string) []string {
	var out []string
	for _, a := range args {
		if ip, ok := strings.CutPrefix(a, "--node-ip="); ok {
			out = append(out, ip)
		}
	}
	return out
}

// etc is all files below /etc with what they hold.
func (s *systemd) etc() string {
	s.t.Helper()
	return s.sh("cd /etc; find . -type d | sort; find . -type f -exec sha256sum {} + | sort -k2")
}

func TestTheKubeletsOfSystemd(t *testing.T) {
	s := newSystemd(t)
	before := s.etc()
	config := "--config=/var/lib/kubelet/config.yaml"

	t.Run("kubeadm's kubelet gets the address, and keeps its other arguments", func(t *testing.T) {
		if out := s.up("{publish: Kubeadm}"); !strings.Contains(out, "192.0.2.10") || !strings.Contains(out, "restart kubelet") {
			t.Errorf("up says\n%s", out)
		}
		args := s.restarted()
		t.Logf("called with %q", args)
		if !slices.Equal(nodeIPs(args), []string{"192.0.2.10"}) || !slices.Contains(args, config) || !slices.Contains(args, "--kubeconfig=/etc/kubernetes/kubelet.conf") {
			t.Errorf("called with %q", args)
		}
	})
	t.Run("nobody restarts it", func(t *testing.T) {
		pid := s.sh("systemctl show -P MainPID kubelet")
		s.up("{publish: Kubeadm, subnets: [\"192.0.2.0/24\"]}")
		if now := s.sh("systemctl show -P MainPID kubelet"); now != pid || pid == "0" {
			t.Errorf("process %s, then %s", pid, now)
		}
	})
	t.Run("it keeps the address beside other arguments of the user's", func(t *testing.T) {
		s.write("/etc/default/kubelet", "KUBELET_EXTRA_ARGS=--v=2\n", 0o644)
		args := s.restarted()
		if !slices.Equal(nodeIPs(args), []string{"192.0.2.10"}) || args[len(args)-1] != "--v=2" {
			t.Errorf("called with %q", args)
		}
	})
	t.Run("an environment file wins over Environment=, so that KUBELET_EXTRA_ARGS would not do", func(t *testing.T) {
		s.write("/etc/systemd/system/kubelet.service.d/90-naive.conf", "[Service]\nEnvironment=\"KUBELET_EXTRA_ARGS=--node-ip=192.0.2.55\"\n", 0o644)
		if args := s.restarted(); slices.Contains(nodeIPs(args), "192.0.2.55") {
			t.Errorf("called with %q", args)
		}
		s.sh("rm /etc/systemd/system/kubelet.service.d/90-naive.conf")
	})
	t.Run("a --node-ip of the user's wins, and is told", func(t *testing.T) {
		s.write("/etc/default/kubelet", "KUBELET_EXTRA_ARGS=\"--v=2 --node-ip=192.0.2.99\"\n", 0o644)
		args := s.restarted()
		t.Logf("called with %q", args)
		if got := nodeIPs(args); !slices.Equal(got, []string{"192.0.2.10", "192.0.2.99"}) {
			t.Errorf("called with %q", args)
		}
		if out := s.up("{publish: Kubeadm}"); !strings.Contains(out, "/etc/default/kubelet sets --node-ip=192.0.2.99") {
			t.Errorf("up says\n%s", out)
		}
		s.sh("rm /etc/default/kubelet")
	})
	t.Run("kubeadm's own flags win, too", func(t *testing.T) {
		s.write("/var/lib/kubelet/kubeadm-flags.env", "KUBELET_KUBEADM_ARGS=\"--node-ip=192.0.2.98\"\n", 0o644)
		if got := nodeIPs(s.restarted()); !slices.Equal(got, []string{"192.0.2.10", "192.0.2.98"}) {
			t.Errorf("called with %q", got)
		}
		s.sh("rm -r /var/lib/kubelet")
	})
	t.Run("a unit of somebody's own reads the environment file", func(t *testing.T) {
		s.up("{publish: EnvironmentFile}")
		s.write("/run/systemd/system/kubelet.service.d/zz-own.conf", strings.Replace(plainUnit, "ExecStart=", "ExecStart=\nExecStart=", 1), 0o644)
		if got := s.restarted(); !slices.Equal(got, []string{"--node-ip=192.0.2.10"}) {
			t.Errorf("called with %q", got)
		}
		s.sh("rm -r /run/systemd/system/kubelet.service.d")
	})
	t.Run("down gives back exactly", func(t *testing.T) {
		testbed.Output(t, s, "/srv/test/bootstrap", "down", "--yes")
		if after := s.etc(); after != before {
			t.Errorf("%s\nbefore:\n%s", after, before)
		}
		args := s.restarted()
		if len(nodeIPs(args)) > 0 || !slices.Contains(args, config) {
			t.Errorf("called with %q", args)
		}
		if left := s.sh("ls -A /var/lib/hostprofile"); left != "disabled" {
			t.Errorf("left: %s", left)
		}
	})
}

// TestTheAddressOverAReboot: what the host becomes later does not change it, and an
// address that is gone is refused with the host untouched.
func TestTheAddressOverAReboot(t *testing.T) {
	s := newSystemd(t)
	s.up("{}", "--no-unit") // the boot has no card, and the unit would wait for one
	if err := s.Reboot(t.Context()); err != nil {
		t.Fatal(err)
	}
	card := func(address string) {
		s.sh("ip link add ens3 type ifb && ip link set ens3 up && ip addr add " + address + "/24 dev ens3 && ip route add default via 192.0.2.1")
	}
	card("192.0.2.10") // another name for the card
	s.sh("ip addr add 192.0.2.2/32 dev ens3")
	if out := s.up("{}"); !strings.Contains(out, "Nothing to do") {
		t.Errorf("up says\n%s", out)
	}
	s.sh("ip link del ens3")
	card("192.0.2.77")
	before := s.etc() + s.sh("cat /var/lib/hostprofile/*")
	r, err := s.Run(t.Context(), "/srv/test/bootstrap", "up", "-f", "/srv/test/site.yaml")
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(r.Stderr), " ")
	if r.ExitCode != 3 || !strings.Contains(said, "192.0.2.10 (the saved address) is on no interface; ens3 has 192.0.2.77") {
		t.Errorf("ended with %d: %s", r.ExitCode, said)
	}
	if after := s.etc() + s.sh("cat /var/lib/hostprofile/*"); after != before {
		t.Error("the host is touched")
	}
	s.up("{}", "--node-ip", "192.0.2.77", "--move-node-ip")
	if env := s.sh("cat /etc/hostprofile/node.env"); !strings.HasSuffix(env, "NODE_IP=192.0.2.77") {
		t.Error(env)
	}
	t.Log(said)
}

// TestThreeCardsAndAVIP is the program on real links: a card with the node's address and a
// virtual one, a second uplink, a card for storage, and a container engine's bridge.
func TestThreeCardsAndAVIP(t *testing.T) {
	b := newBox(t)
	b.sh("ip link set lo up; for i in 0 1 2; do ip link add eth$i type ifb && ip link set eth$i up; done; ip link add docker0 type bridge && ip link set docker0 up")
	b.sh("ip addr add 192.0.2.2/32 dev eth0; ip addr add 192.0.2.10/24 dev eth0; ip addr add 198.51.100.10/24 dev eth1; ip addr add 10.20.0.10/24 dev eth2; ip addr add 172.17.0.1/16 dev docker0")
	b.sh("ip route add default via 192.0.2.1 metric 100; ip route add default via 198.51.100.1 metric 200")
	r := b.bootstrap(0, "node-ip", "--explain")
	t.Logf("bootstrap node-ip --explain\n%s%s", r.Stderr, r.Stdout)
	if r.Stdout != "192.0.2.10\n" {
		t.Errorf("prints %q", r.Stdout)
	}
	for _, row := range []string{
		"192.0.2.10/24 eth0 Chosen", "192.0.2.2/32 eth0 HostPrefix", "198.51.100.10/24 eth1 HigherMetric", "10.20.0.10/24 eth2 NoDefaultRoute",
		"172.17.0.1/16 docker0 NoDefaultRoute", "eth1 has 198.51.100.10 and eth2 has 10.20.0.10, too",
	} {
		if !strings.Contains(strings.Join(strings.Fields(r.Stderr), " "), row) {
			t.Errorf("does not say %q", row)
		}
	}
	b.sh("ip route del default metric 200; ip route append default via 198.51.100.1 metric 100")
	r = b.bootstrap(1, "node-ip")
	t.Logf("bootstrap node-ip\n%s", r.Stderr)
	if r.Stdout != "" || !strings.Contains(r.Stderr, "more than one IPv4 address") {
		t.Errorf("prints %q, %q", r.Stdout, r.Stderr)
	}
	b.sh("ip route flush default; ip addr del 198.51.100.10/24 dev eth1; ip addr del 10.20.0.10/24 dev eth2; ip addr del 192.0.2.2/32 dev eth0")
	if r = b.bootstrap(0, "node-ip", "--wait", "0s"); r.Stdout != "192.0.2.10\n" {
		t.Errorf("without a default route it prints %q", r.Stdout)
	}
}
