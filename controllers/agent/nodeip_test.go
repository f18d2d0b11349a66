package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
)

const nodeEnv = "/etc/hostprofile/node.env"

// registered is a world whose node the cluster knows by an address, which is not the one
// that the rules would choose.
func registered(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.host.AddIP("eth0", "192.0.2.20/32")
	w.host.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	w.server.view.Node.Addresses = wish.Addresses{InternalIPs: []string{"192.0.2.20"}}
	return w
}

func (w *world) nodeIP(want string) *world {
	w.t.Helper()
	text, _ := w.host.File(nodeEnv)
	if got := strings.TrimSpace(text[strings.LastIndex(text, "\nNODE_IP=")+1:]); got != want {
		w.t.Errorf("%s has %q, want %q", nodeEnv, got, want)
	}
	return w
}

func (w *world) condition(reason v1alpha1.Reason) *world {
	w.t.Helper()
	for _, c := range w.server.published.Node {
		if c.Type == v1alpha1.NodeConditionNodeIP && c.Reason != reason {
			w.t.Errorf("%s/%s: %s, want %s", c.Status, c.Reason, c.Message, reason)
		}
	}
	return w
}

func TestARunningNodeIsAdoptedByItsInternalIP(t *testing.T) {
	w := registered(t)
	w.have(`site "nodeIP":{}`).nodeIP("NODE_IP=192.0.2.20").condition(v1alpha1.ReasonNodeIPProfileDiffers).state(v1alpha1.NodeReady)
	if n := w.server.published.Status.NodeIP; n == nil || n.Source != "Adopted" || n.Interface != "eth0" {
		t.Errorf("%+v", n)
	}
	before := w.host.Mutations()
	w.restart()
	w.step().nodeIP("NODE_IP=192.0.2.20")
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d writes", n)
	}
}

func TestTheNodeIPOutlivesItsProfile(t *testing.T) {
	w := registered(t)
	w.have(`site "nodeIP":{}`).have().after(2 * time.Minute).nodeIP("NODE_IP=192.0.2.20").condition(v1alpha1.ReasonNodeIPHeld)
	w.server.view.Node.Removed = true
	w.step().nodeIP("")
	if strings.Contains(w.host.String(), "hostprofile/node") {
		t.Errorf("not given back:\n%s", w.host)
	}
}

func TestTheClusterKnowsTheNodeByAnotherAddress(t *testing.T) {
	w := registered(t)
	w.have(`site "nodeIP":{}`)
	w.server.view.Node.Addresses = wish.Addresses{InternalIPs: []string{"192.0.2.99"}, Writer: "aws-cloud-controller-manager, of the cloud provider aws"}
	w.step().condition(v1alpha1.ReasonNodeIPMismatch).state(v1alpha1.NodeDegraded)
	w.server.view.Node.Addresses = wish.Addresses{InternalIPs: []string{"192.0.2.20"}}
	w.step().condition(v1alpha1.ReasonNodeIPProfileDiffers).state(v1alpha1.NodeReady)
}

func TestALostAddressIsToldAndNothingIsRewritten(t *testing.T) {
	w := registered(t)
	w.have(`site "nodeIP":{},"sysctls":[{"name":"vm.swappiness","value":10}]`)
	w.host.RemoveIP("eth0", "192.0.2.20")
	_ = w.host.SetSysctl(swappiness, "60")
	w.step().condition(v1alpha1.ReasonAddressLost).state(v1alpha1.NodeDegraded).nodeIP("NODE_IP=192.0.2.20").is(swappiness, "10")
	w.host.AddIP("eth0", "192.0.2.20/32")
	w.step().condition(v1alpha1.ReasonNodeIPProfileDiffers).state(v1alpha1.NodeReady)
}

// A profile that names an address may be stored from before there was the rule that it
// selects one node.
func TestAnAddressForManyNodesIsNotUnderstood(t *testing.T) {
	w := registered(t)
	w.have(`site "nodeIP":{"address":"192.0.2.10"}`)
	if _, there := w.host.File(nodeEnv); there {
		t.Error("it was applied")
	}
	w.state(v1alpha1.NodeDegraded)
}
