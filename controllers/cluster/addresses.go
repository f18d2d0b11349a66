package cluster

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/hostprofile/hostprofile/controllers/wish"
)

// readAddresses returns by which addresses the cluster knows a node, and who says so.
func readAddresses(u *unstructured.Unstructured) wish.Addresses {
	var out wish.Addresses
	all, _, _ := unstructured.NestedSlice(u.Object, "status", "addresses")
	for _, one := range all {
		m, _ := one.(map[string]any)
		if ip, ok := m["address"].(string); ok && m["type"] == "InternalIP" {
			out.InternalIPs = append(out.InternalIPs, ip)
		}
	}
	provider, _, _ := unstructured.NestedString(u.Object, "spec", "providerID")
	out.Writer = writer(u.GetManagedFields(), provider)
	return out
}

// writer names who writes the addresses if it is not the kubelet: a cloud provider has its
// controller do it. Who last wrote the InternalIP shows in the managed fields.
func writer(managed []metav1.ManagedFieldsEntry, providerID string) string {
	provider, _, _ := strings.Cut(providerID, "://")
	name := ""
	for _, m := range managed {
		if m.FieldsV1 == nil || m.Manager == "kubelet" || m.Manager == FieldManager {
			continue
		}
		if text := m.FieldsV1.GetRawString(); strings.Contains(text, `"f:addresses"`) {
			name = m.Manager
		}
	}
	switch {
	case name != "" && provider != "":
		return name + ", of the cloud provider " + provider
	case name != "":
		return name
	case provider != "":
		return "the cloud provider " + provider
	default:
		return ""
	}
}
