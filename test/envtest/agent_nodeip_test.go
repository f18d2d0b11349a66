package envtest_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// addresses makes somebody write the Node's InternalIP, as kubelets and the controllers of
// cloud providers do.
func (m *member) addresses(manager, ip string) {
	m.t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name}}
	patch := fmt.Sprintf(`{"status":{"addresses":[{"type":"InternalIP","address":%q}]}}`, ip)
	if err := m.admin.Status().Patch(m.t.Context(), n, client.RawPatch(types.StrategicMergePatchType, []byte(patch)), client.FieldOwner(manager)); err != nil {
		m.t.Fatal(err)
	}
}

// nodeIPCondition waits for a condition of the Node, and returns its message.
func (m *member) nodeIPCondition(status corev1.ConditionStatus, reason v1alpha1.Reason) (message string) {
	m.t.Helper()
	m.until(fmt.Sprintf("HostNodeIPReady %s/%s", status, reason), func() bool {
		var n corev1.Node
		_ = m.admin.Get(m.t.Context(), client.ObjectKey{Name: m.name}, &n)
		for _, c := range n.Status.Conditions {
			if string(c.Type) == v1alpha1.NodeConditionNodeIP && c.Status == status && c.Reason == string(reason) {
				message = c.Message
				return true
			}
		}
		return false
	})
	return message
}

func nodeIPOfTheCluster(t *testing.T, f *fleet) {
	m := f.join(t, "address")
	m.host.PutFile("/etc/kubernetes/kubelet.conf", "") // it has joined
	m.host.AddIP("eth0", "192.0.2.10/24")
	m.host.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	m.addresses("kubelet", "192.0.2.10")
	m.nodeIPCondition(corev1.ConditionTrue, v1alpha1.ReasonNotManaged)
	m.profile("address", "nodeIP: {}")
	m.nodeIPCondition(corev1.ConditionTrue, v1alpha1.ReasonAllApplied)
	if env, _ := m.host.File("/etc/hostprofile/node.env"); !strings.Contains(env, "NODE_IP=192.0.2.10\n") {
		t.Errorf("%q", env)
	}
	s := m.status()
	if s.NodeIP == nil || s.NodeIP.Source != "Adopted" || s.Summary.NodeIP != "192.0.2.10" {
		t.Errorf("%+v", s.NodeIP)
	}

	m.patchNode(`{"spec":{"providerID":"openstack:///1"}}`)
	m.addresses("openstack-cloud-controller-manager", "198.51.100.4")
	message := m.nodeIPCondition(corev1.ConditionFalse, v1alpha1.ReasonNodeIPMismatch)
	for _, part := range []string{"192.0.2.10", "198.51.100.4", "written by openstack-cloud-controller-manager, of the cloud provider openstack"} {
		if !strings.Contains(message, part) {
			t.Errorf("%q does not say %q", message, part)
		}
	}
	m.addresses("openstack-cloud-controller-manager", "192.0.2.10")
	m.nodeIPCondition(corev1.ConditionTrue, v1alpha1.ReasonAllApplied)

	m.deleteProfile("address")
	m.nodeIPCondition(corev1.ConditionTrue, v1alpha1.ReasonNodeIPHeld)
	if env, _ := m.host.File("/etc/hostprofile/node.env"); !strings.Contains(env, "NODE_IP=192.0.2.10\n") {
		t.Errorf("%q", env)
	}
}
