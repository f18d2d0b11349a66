package cluster

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestTheAddressesOfANodeAndWhoWritesThem(t *testing.T) {
	const addresses = `,"status":{"addresses":[{"type":"Hostname","address":"node-1"},{"type":"InternalIP","address":"192.0.2.10"},` +
		`{"type":"ExternalIP","address":"203.0.113.9"},{"type":"InternalIP","address":"2001:db8::10"}]}}`
	managed := func(name, fields string) string {
		return `{"manager":"` + name + `","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"` + fields + `":{}}}}`
	}
	for _, tt := range []struct{ name, node, writer string }{
		{"the kubelet alone", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","managedFields":[` + managed("kubelet", "f:addresses") + `]}`, ""},
		{"nothing is known", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"}`, ""},
		{"a provider", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"},"spec":{"providerID":"aws:///eu-1/i-1"}`, "the cloud provider aws"},
		{"a controller", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","managedFields":[` + managed("kubelet", "f:addresses") + "," + managed("openstack-ccm", "f:addresses") + "," + managed("other", "f:conditions") +
			`]},"spec":{"providerID":"openstack://1"}`, "openstack-ccm, of the cloud provider openstack"},
		{"garbage", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"},"spec":{"providerID":7}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := &unstructured.Unstructured{}
			if err := u.UnmarshalJSON([]byte(tt.node + addresses)); err != nil {
				t.Fatal(err)
			}
			got := readAddresses(u)
			if got.Writer != tt.writer || !slices.Equal(got.InternalIPs, []string{"192.0.2.10", "2001:db8::10"}) {
				t.Errorf("%+v", got)
			}
		})
	}
}
