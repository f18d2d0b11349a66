package hostops_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

const (
	machineID  = "4f6c0b3a2d1e4f5a8b9c0d1e2f3a4b5c"
	nodeEnv    = "/etc/hostprofile/node.env"
	dropIn     = "/etc/systemd/system/kubelet.service.d/50-hostprofile.conf"
	k3sFile    = "/etc/rancher/k3s/config.yaml.d/50-hostprofile.yaml"
	stateFile  = "/var/lib/hostprofile/node-ip.json"
	plainIP    = "nodeIP: {}"
	otherNoise = "sysctls: [{name: vm.swappiness, value: 10}]"
)

// wired is a host with a network card, an address and a default route.
func wired() *fake.Host {
	h := fake.New()
	h.PutFile("/etc/machine-id", machineID+"\n")
	h.PutDir("/etc/systemd/system", 0o755)
	h.AddIP("eth0", "192.0.2.10/24")
	h.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	return h
}

// as opens the host with what a command line says.
func as(t *testing.T, h *fake.Host, o hostops.NodeIPOptions) *hostops.Host {
	t.Helper()
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: h.Machine(), Version: "test", Holder: "test", LockTimeout: time.Second, NodeIP: o})
	if err != nil {
		t.Fatal(err)
	}
	return host
}

// mustRefuse runs `up`, which has to refuse and leave the host untouched.
func mustRefuse(t *testing.T, h *fake.Host, spec string, o hostops.NodeIPOptions, reason string, says ...string) {
	t.Helper()
	before := h.String()
	_, err := as(t, h, o).Up(t.Context(), site(t, spec), hostops.UpOptions{})
	var refused *hostops.RefusedError
	if !errors.As(err, &refused) || string(refused.Reason) != reason {
		t.Fatalf("error %v", err)
	}
	for _, part := range says {
		if !strings.Contains(refused.Error()+" "+refused.Fix, part) {
			t.Errorf("%q; %q does not say %q", refused, refused.Fix, part)
		}
	}
	if after := h.String(); after != before {
		t.Errorf("the host is touched:\n%s\nbefore:\n%s", after, before)
	}
}

func mustUp(t *testing.T, h *fake.Host, spec string, o hostops.NodeIPOptions) item.Report {
	t.Helper()
	r, err := as(t, h, o).Up(t.Context(), site(t, spec), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func has(t *testing.T, h *fake.Host, path, part string) {
	t.Helper()
	if text, ok := h.File(path); !ok || !strings.Contains(text, part) {
		t.Errorf("%s is %q, want %q in it", path, text, part)
	}
}

func hasNot(t *testing.T, h *fake.Host, path string) {
	t.Helper()
	if text, ok := h.File(path); ok {
		t.Errorf("%s is there: %q", path, text)
	}
}

func TestTheNodeIPIsSavedPublishedAndGivenBack(t *testing.T) {
	h := wired()
	before := h.String()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "\nNODE_IP=192.0.2.10\n")
	has(t, h, stateFile, machineID)
	writes := h.Mutations()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	if n := h.Mutations() - writes; n > 0 {
		t.Errorf("the second run writes %d things", n)
	}
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if after := h.String(); after != before {
		t.Errorf("not given back:\n%s\nbefore:\n%s", after, before)
	}
}

func TestWhatStoodInTheWayComesBack(t *testing.T) {
	h := wired()
	h.PutFile(nodeEnv, "# mine\n")
	h.PutFile("/etc/rancher/k3s/config.yaml", "write-kubeconfig-mode: \"0644\"\n")
	before := h.String()
	mustUp(t, h, "nodeIP: {publish: K3s}", hostops.NodeIPOptions{})
	has(t, h, k3sFile, "node-ip: \"192.0.2.10\"")
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10")
	has(t, h, k3sFile, "192.0.2.10") // another way to publish is one more
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if after := h.String(); after != before {
		t.Errorf("not given back:\n%s\nbefore:\n%s", after, before)
	}
}

// A pair that is kept is one although no profile asks for two families any more.
func TestAKeptPairStaysAPair(t *testing.T) {
	h := wired()
	h.AddIP("eth0", "2001:db8::10/64")
	mustUp(t, h, "nodeIP: {ipFamilies: [IPv4, IPv6]}", hostops.NodeIPOptions{})
	mustUp(t, h, otherNoise, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10,2001:db8::10\n")
	r, err := open(t, h).NodeIP(t.Context(), nil)
	if err != nil || r.IP != "192.0.2.10,2001:db8::10" || len(r.Warnings) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	mustUp(t, h, plainIP, hostops.NodeIPOptions{}) // and one family alone moves nothing
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10,2001:db8::10\n")
}

// Folders that we made one in the other go again, the innermost first.
func TestNestedFoldersAreGivenBack(t *testing.T) {
	h := wired()
	before := h.String()
	mustUp(t, h, "nodeIP: {publish: RKE2}", hostops.NodeIPOptions{})
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if after := h.String(); after != before {
		t.Errorf("not given back:\n%s\nbefore:\n%s", after, before)
	}
}

func TestNothingButDownOrAMoveReleasesTheNodeIP(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	mustUp(t, h, otherNoise, hostops.NodeIPOptions{}) // the section is gone
	has(t, h, nodeEnv, "192.0.2.10")
	has(t, h, stateFile, "192.0.2.10")
	if _, err := open(t, h).Reconcile(t.Context(), nil, hostops.ReconcileOptions{}); err != nil {
		t.Fatal(err)
	}
	has(t, h, nodeEnv, "192.0.2.10")
	h.PutFile(nodeEnv, "NODE_IP=broken\n") // drift is repaired without a section, too
	h.Delete(stateFile)
	mustUp(t, h, otherNoise, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "192.0.2.10")
	has(t, h, stateFile, "192.0.2.10")
}

func TestASavedAddressOutranksWhatTheHostBecomes(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.AddIP("eth0", "192.0.2.2/24")
	h.SetLink("tailscale0", func(l *machine.Link) { *l = machine.Link{Kind: "tun", Up: true, Carrier: true} })
	h.AddIP("tailscale0", "100.64.0.5/32")
	h.AddDefaultRoute("tailscale0", "", "100.64.0.5", 1)
	h.Reboot()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{Environment: "192.0.2.2"})
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10\n")
	r, err := open(t, h).NodeIP(t.Context(), site(t, plainIP))
	if err != nil || r.Source != nodeip.FromState || r.Links[0] != "eth0" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestALostAddressIsRefusedBeforeTheFirstStage(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.RemoveIP("eth0", "192.0.2.10")
	h.AddIP("eth0", "192.0.2.77/24")
	_ = h.SetSysctl("vm/swappiness", "99")
	mustRefuse(t, h, "nodeIP: {}, "+otherNoise, hostops.NodeIPOptions{}, "AddressLost", "192.0.2.10", "eth0 has 192.0.2.77", "--node-ip 192.0.2.77 --move-node-ip")
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10\n")
}

// The agent, and the unit at boot, cannot refuse: they apply the rest and say what is
// missing.
func TestALostAddressDoesNotKeepTheAgentFromTheRest(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP+", "+otherNoise, hostops.NodeIPOptions{})
	h.RemoveIP("eth0", "192.0.2.10")
	_ = h.SetSysctl("vm/swappiness", "99")
	rec, err := open(t, h).Reconcile(t.Context(), nil, hostops.ReconcileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if value(h, "vm/swappiness") != "10" {
		t.Error("the rest was not applied")
	}
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10\n")
	has(t, h, stateFile, "192.0.2.10")
	for _, res := range rec.Report.Results() {
		if res.Key == nodeip.Key && (res.Outcome != item.Failed || res.Reason != "AddressLost" || !res.Required) {
			t.Errorf("%+v", res)
		}
	}
	if rec.NodeIP == nil || rec.NodeIP.Problem == nil {
		t.Errorf("%+v", rec.NodeIP)
	}
}

func TestANodeIsMovedOnPurposeOnly(t *testing.T) {
	h := wired()
	mustUp(t, h, "nodeIP: {publish: Kubeadm}", hostops.NodeIPOptions{})
	h.AddIP("eth0", "192.0.2.77/24")
	mustRefuse(t, h, plainIP, hostops.NodeIPOptions{Address: "192.0.2.77"}, "NodeIPHeld", "192.0.2.10", "192.0.2.77", "--move-node-ip")
	mustUp(t, h, plainIP, hostops.NodeIPOptions{Address: "192.0.2.77", Move: true})
	has(t, h, nodeEnv, "NODE_IP=192.0.2.77\n")
	has(t, h, stateFile, "192.0.2.77")
	hasNot(t, h, dropIn) // a move begins anew, with what the profile says now
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	has(t, h, stateFile, "192.0.2.77")
}

func TestAFlagNeedsNoSection(t *testing.T) {
	h := wired()
	mustUp(t, h, otherNoise, hostops.NodeIPOptions{Address: "192.0.2.10"})
	has(t, h, nodeEnv, "192.0.2.10")
	has(t, h, stateFile, "\"Flag\"")
}

func TestAmbiguityFailsTheItemAndNotTheRest(t *testing.T) {
	h := fake.New(fake.Link("eth1"))
	h.AddIP("eth0", "192.0.2.10/24")
	h.AddIP("eth1", "198.51.100.10/24")
	r := mustUp(t, h, plainIP+", "+otherNoise, hostops.NodeIPOptions{})
	if value(h, "vm/swappiness") != "10" {
		t.Error("the rest was not applied")
	}
	i := slices.IndexFunc(r.Results(), func(r item.Result) bool { return r.Key == nodeip.Key })
	if i < 0 || r.Results()[i].Outcome != item.Failed || r.Results()[i].Reason != "NodeIPAmbiguous" {
		t.Errorf("%+v", r.Results())
	}
	hasNot(t, h, stateFile)
	hasNot(t, h, nodeEnv)
	mustUp(t, h, `nodeIP: {subnets: ["198.51.100.0/24"]}`, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "198.51.100.10")
}

func TestHalfAPairIsNeverSaved(t *testing.T) {
	const both = "nodeIP: {ipFamilies: [IPv4, IPv6]}"
	h := fake.New()
	h.AddIP("eth0", "2001:db8::10/64")
	h.AddDefaultRoute("eth0", "fe80::1", "", 1024)
	began := h.Now()
	mustUp(t, h, both, hostops.NodeIPOptions{})
	hasNot(t, h, stateFile)
	if waited := h.Now().Sub(began); waited < 30*time.Second || waited > 31*time.Second {
		t.Errorf("waited %v", waited)
	}
	h.After(3*time.Second, func() {
		h.AddIP("eth0", "192.0.2.10/24")
		h.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	})
	began = h.Now()
	mustUp(t, h, both, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10,2001:db8::10\n")
	if waited := h.Now().Sub(began); waited > 10*time.Second {
		t.Errorf("waited %v", waited)
	}
}

func TestAnAddressThatComesLater(t *testing.T) {
	vpn := func(h *fake.Host) {
		h.SetLink("wg0", func(l *machine.Link) { *l = machine.Link{Kind: "wireguard", Up: true, Carrier: true} })
		h.AddIP("wg0", "203.0.113.7/24")
	}
	h := wired()
	h.After(8*time.Second, func() { vpn(h) })
	mustUp(t, h, plainIP, hostops.NodeIPOptions{Address: "203.0.113.7"})
	has(t, h, nodeEnv, "NODE_IP=203.0.113.7\n")

	h = wired()
	mustRefuse(t, h, "nodeIP: {waitSeconds: 5}", hostops.NodeIPOptions{Address: "203.0.113.7"}, "AddressLost", "203.0.113.7", "eth0 has 192.0.2.10")
	mustUp(t, h, `nodeIP: {address: "203.0.113.7", whenAddressMissing: Start, waitSeconds: 5}`, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "NODE_IP=203.0.113.7\n")

	slow := fake.New()
	slow.SetLink("eth0", func(l *machine.Link) { l.Up, l.Carrier = false, false })
	slow.After(12*time.Second, func() {
		slow.SetLink("eth0", func(l *machine.Link) { l.Up, l.Carrier = true, true })
		slow.AddIP("eth0", "192.0.2.10/24")
		slow.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	})
	mustUp(t, slow, plainIP, hostops.NodeIPOptions{})
	has(t, slow, nodeEnv, "NODE_IP=192.0.2.10\n")
}

func TestAHostThatIsANodeIsAdopted(t *testing.T) {
	for name, put := range map[string]func(*fake.Host){
		"by the command line": func(h *fake.Host) {
			h.PutFile("/proc/812/cmdline", "/usr/bin/kubelet\x00--v=2\x00--node-ip=192.0.2.77\x00")
		},
		"by two words of the command line": func(h *fake.Host) {
			h.PutFile("/proc/812/cmdline", "kubelet\x00--node-ip\x00192.0.2.77\x00--v=2\x00")
		},
		"by kubeadm's flags": func(h *fake.Host) {
			h.PutFile("/var/lib/kubelet/kubeadm-flags.env", "KUBELET_KUBEADM_ARGS=\"--pod-infra-container-image=x --node-ip=192.0.2.77\"\n")
		},
		"by the user's arguments": func(h *fake.Host) {
			h.PutFile("/etc/default/kubelet", "# mine\nKUBELET_EXTRA_ARGS='--node-ip 192.0.2.77'\n")
			h.PutFile("/var/lib/kubelet/kubeadm-flags.env", "KUBELET_KUBEADM_ARGS=\"--node-ip=192.0.2.78\"\n")
		},
		"by a drop-in": func(h *fake.Host) {
			h.PutFile("/etc/systemd/system/kubelet.service.d/20-ip.conf", "[Service]\nEnvironment=\"KUBELET_EXTRA_ARGS=--v=2 --node-ip=192.0.2.77\"\n")
		},
		"by K3s":    func(h *fake.Host) { h.PutFile("/etc/rancher/k3s/config.yaml", "node-ip: 192.0.2.77\n") },
		"by a list": func(h *fake.Host) { h.PutFile("/etc/rancher/rke2/config.yaml", "node-ip:\n  - 192.0.2.77\n") },
		"by a part of K3s": func(h *fake.Host) {
			h.PutFile("/etc/rancher/k3s/config.yaml.d/10-ip.yaml", "node-ip: \"192.0.2.77\"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := wired()
			h.AddIP("eth0", "192.0.2.77/24", func(a *machine.Address) { a.Secondary = true })
			put(h)
			mustUp(t, h, plainIP, hostops.NodeIPOptions{})
			has(t, h, stateFile, "\"Adopted\"")
			has(t, h, nodeEnv, "NODE_IP=192.0.2.77\n")
		})
	}
	t.Run("not readable", func(t *testing.T) {
		h := wired()
		h.PutFile("/etc/kubernetes/kubelet.conf", "apiVersion: v1\n")
		mustRefuse(t, h, plainIP, hostops.NodeIPOptions{}, "NodeIPNotFound", "a kubelet has run", "192.0.2.10", "--node-ip")
		mustUp(t, h, plainIP, hostops.NodeIPOptions{Address: "192.0.2.10"})
	})
	t.Run("a kubelet that waits for kubeadm join has joined nothing", func(t *testing.T) {
		h := wired()
		h.PutFile("/proc/812/cmdline", "/usr/bin/kubelet\x00--kubeconfig=/etc/kubernetes/kubelet.conf\x00")
		h.PutFile("/etc/systemd/system/kubelet.service", "[Service]\nEnvironmentFile=/etc/hostprofile/node.env\nExecStart=/usr/bin/kubelet --node-ip=${NODE_IP}\n")
		mustUp(t, h, plainIP, hostops.NodeIPOptions{})
		has(t, h, nodeEnv, "NODE_IP=192.0.2.10\n")
	})
	t.Run("a kubelet with its own kubeconfig has", func(t *testing.T) {
		h := wired()
		h.PutFile("/proc/812/cmdline", "/opt/kubelet\x00--kubeconfig\x00/opt/kubeconfig\x00")
		h.PutFile("/opt/kubeconfig", "{}")
		mustRefuse(t, h, plainIP, hostops.NodeIPOptions{}, "NodeIPNotFound", "a kubelet has run")
	})
	t.Run("by the cluster", func(t *testing.T) {
		h := wired()
		h.AddIP("eth0", "192.0.2.77/24", func(a *machine.Address) { a.Secondary = true })
		h.PutFile("/proc/812/cmdline", "kubelet\x00--v=2\x00")
		accepted := []hostops.Accepted{{UID: "1", Profile: site(t, plainIP)[0]}}
		if _, err := open(t, h).Reconcile(t.Context(), accepted, hostops.ReconcileOptions{NodeAddresses: []string{"198.51.100.1", "192.0.2.77"}}); err != nil {
			t.Fatal(err)
		}
		has(t, h, stateFile, "\"Adopted\"")
		has(t, h, nodeEnv, "NODE_IP=192.0.2.77\n")
	})
}

func TestAnotherAddressInAUsersFileIsFoundFirst(t *testing.T) {
	h := wired()
	mustUp(t, h, "nodeIP: {publish: RKE2}", hostops.NodeIPOptions{})
	h.PutFile("/etc/rancher/rke2/config.yaml", "node-ip: 192.0.2.99\n")
	mustRefuse(t, h, "nodeIP: {publish: RKE2}, "+otherNoise, hostops.NodeIPOptions{}, "NodeIPMismatch", "/etc/rancher/rke2/config.yaml", "192.0.2.99", "192.0.2.10")
	h.PutFile("/etc/rancher/rke2/config.yaml", "node-ip: 192.0.2.10\n")
	mustUp(t, h, "nodeIP: {publish: RKE2}", hostops.NodeIPOptions{})
}

func TestTheSameAddressInAUsersFileIsFine(t *testing.T) {
	h := wired()
	h.PutFile("/etc/rancher/k3s/config.yaml", "node-ip: 192.0.2.10\n")
	mustUp(t, h, "nodeIP: {publish: K3s}", hostops.NodeIPOptions{})
	hasNot(t, h, k3sFile)
	h.PutFile("/etc/rancher/k3s/config.yaml", "{}\n")
	mustUp(t, h, "nodeIP: {publish: K3s}", hostops.NodeIPOptions{})
	has(t, h, k3sFile, "192.0.2.10")
}

func TestACloneChoosesAnew(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.PutFile("/etc/machine-id", "00000000000000000000000000000001\n")
	h.RemoveIP("eth0", "192.0.2.10")
	h.AddIP("eth0", "192.0.2.11/24")
	r := mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	has(t, h, nodeEnv, "NODE_IP=192.0.2.11\n")
	has(t, h, stateFile, "00000000000000000000000000000001")
	for _, res := range r.Results() {
		if res.Drift {
			t.Errorf("%s is told as drift", res.Key)
		}
	}
}

func TestACloneWithTheSameAddressSavesItAsItsOwn(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.PutFile("/etc/machine-id", "00000000000000000000000000000001\n")
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	has(t, h, stateFile, "00000000000000000000000000000001")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	hasNot(t, h, stateFile)
}

func TestKubeadmsArgumentsAreExtendedAsTheyAre(t *testing.T) {
	h := wired()
	h.PutFile("/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf", "[Service]\nEnvironment=\"KUBELET_CONFIG_ARGS=--config=/etc/kubelet.yaml --v=3\"\n")
	mustUp(t, h, "nodeIP: {publish: Kubeadm}", hostops.NodeIPOptions{})
	has(t, h, dropIn, "Environment=\"KUBELET_CONFIG_ARGS=--config=/etc/kubelet.yaml --v=3 --node-ip=192.0.2.10\"\n")
	h.PutFile("/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf", "[Service]\nEnvironment=\"KUBELET_CONFIG_ARGS=--config=/new.yaml\"\n")
	mustUp(t, h, "nodeIP: {publish: Kubeadm}", hostops.NodeIPOptions{})
	has(t, h, dropIn, "--config=/new.yaml --node-ip=192.0.2.10\"\n")
}

// What we write for K3s and RKE2 is what their readers understand.
func TestTheFilesOfK3sAndRKE2AreYAML(t *testing.T) {
	for publish, file := range map[string]string{"K3s": k3sFile, "RKE2": "/etc/rancher/rke2/config.yaml.d/50-hostprofile.yaml"} {
		h := wired()
		h.AddIP("eth0", "2001:db8::10/64")
		mustUp(t, h, "nodeIP: {ipFamilies: [IPv4, IPv6], publish: "+publish+"}", hostops.NodeIPOptions{})
		text, _ := h.File(file)
		var config map[string]any
		if err := yaml.Unmarshal([]byte(text), &config); err != nil || len(config) != 1 || config["node-ip"] != "192.0.2.10,2001:db8::10" {
			t.Errorf("%s: %v, %v", text, config, err)
		}
	}
}

func TestWhoOverrulesOurDropInIsTold(t *testing.T) {
	for path, content := range map[string]string{
		"/etc/default/kubelet":                               "KUBELET_CONFIG_ARGS=--config=/mine.yaml\n",
		"/etc/systemd/system/kubelet.service.d/60-mine.conf": "[Service]\nEnvironment=\"KUBELET_CONFIG_ARGS=--config=/mine.yaml\"\n",
		"/var/lib/kubelet/kubeadm-flags.env":                 "KUBELET_KUBEADM_ARGS=\"--node-ip=192.0.2.99\"\n",
	} {
		h := wired()
		mustUp(t, h, "nodeIP: {publish: Kubeadm}", hostops.NodeIPOptions{})
		h.PutFile(path, content)
		host := as(t, h, hostops.NodeIPOptions{})
		if _, err := host.Plan(t.Context(), site(t, "nodeIP: {publish: Kubeadm}")); err != nil {
			t.Fatal(err)
		}
		if w := host.DecidedNodeIP().Warnings; len(w) != 1 || w[0].Reason != nodeip.Mismatch || !strings.Contains(w[0].Message, path) {
			t.Errorf("%s: %+v", path, w)
		}
	}
}

func TestALostRecordKeepsTheNodeIP(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	h.Delete("/var/lib/hostprofile/ledger.json")
	if _, err := open(t, h).Up(t.Context(), site(t, otherNoise), hostops.UpOptions{Adopt: true}); err != nil {
		t.Fatal(err)
	}
	has(t, h, nodeEnv, "192.0.2.10")
	h.Delete("/var/lib/hostprofile/ledger.json")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Adopt: true, Purge: true}); err != nil {
		t.Fatal(err)
	}
	hasNot(t, h, nodeEnv)
	hasNot(t, h, stateFile)
}

// A paused profile keeps what it has, and a conflict decides nothing anew.
func TestAPausedProfileKeepsTheNodeIP(t *testing.T) {
	h := wired()
	p := hostops.Accepted{UID: "1", Profile: site(t, plainIP)[0]}
	run := func(p hostops.Accepted) hostops.Reconciled {
		t.Helper()
		rec, err := open(t, h).Reconcile(t.Context(), []hostops.Accepted{p}, hostops.ReconcileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	run(p)
	p.Hold = true
	h.PutFile(nodeEnv, "NODE_IP=theirs\n")
	if rec := run(p); rec.NodeIP == nil || !rec.NodeIP.Managed || rec.NodeIP.IP != "192.0.2.10" {
		t.Errorf("%+v", rec.NodeIP)
	}
	has(t, h, nodeEnv, "theirs")
	p.Hold = false
	run(p)
	has(t, h, nodeEnv, "NODE_IP=192.0.2.10\n")
}

func TestAPausedProfileChoosesNothing(t *testing.T) {
	h := wired()
	p := hostops.Accepted{UID: "1", Hold: true, Profile: site(t, plainIP)[0]}
	if _, err := open(t, h).Reconcile(t.Context(), []hostops.Accepted{p}, hostops.ReconcileOptions{}); err != nil {
		t.Fatal(err)
	}
	hasNot(t, h, stateFile)
}

func TestAnAddressThatGoesIsNoticedAtOnce(t *testing.T) {
	h := wired()
	mustUp(t, h, plainIP, hostops.NodeIPOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	told := make(chan string, 1)
	var wait sync.WaitGroup
	wait.Go(func() {
		_ = open(t, h).Watcher().Run(ctx, func(cause string) {
			if cause == hostops.CauseAddress {
				told <- cause
			}
		})
	})
	defer wait.Wait()
	defer cancel()
	within := func(d time.Duration) bool {
		select {
		case <-told:
			return true
		case <-time.After(d):
			return false
		}
	}
	gone := func() bool { h.RemoveIP("eth0", "192.0.2.10"); return within(200 * time.Millisecond) }
	for range 50 { // until it listens
		if gone() {
			h.AddIP("eth0", "192.0.2.10/24")
			if !within(5 * time.Second) {
				t.Error("an address that comes back is not noticed")
			}
			return
		}
		h.AddIP("eth0", "192.0.2.10/24")
		within(200 * time.Millisecond)
	}
	t.Error("an address that goes is not noticed")
}
