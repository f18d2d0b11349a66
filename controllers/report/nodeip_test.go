package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func wired() *fake.Host {
	h := fake.New(fake.Link("eth1"))
	h.PutFile("/etc/machine-id", "4f6c0b3a2d1e4f5a8b9c0d1e2f3a4b5c\n")
	h.AddIP("eth0", "192.0.2.10/24")
	h.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	h.AddIP("eth1", "198.51.100.4/24")
	return h
}

// TestTheConditionOfTheNodeIP compares what is kept, what the host has and what the
// cluster says.
func TestTheConditionOfTheNodeIP(t *testing.T) {
	section := func(fields string) []hostops.Accepted {
		return []hostops.Accepted{accepted(t, "site", "nodeIP: {"+fields+"}")}
	}
	for name, tt := range map[string]struct {
		story          func(h *fake.Host) *report.Situation
		known          wish.Addresses
		status, reason string
		says           []string
		ready          v1alpha1.NodeState
	}{
		"nobody asks": {func(h *fake.Host) *report.Situation { return situation(t, h) },
			wish.Addresses{}, "True", "NotManaged", nil, v1alpha1.NodeReady},
		"as the cluster knows it": {func(h *fake.Host) *report.Situation { return situation(t, h, section("")...) },
			wish.Addresses{InternalIPs: []string{"192.0.2.10"}}, "True", "AllApplied", nil, v1alpha1.NodeReady},
		"not registered yet": {func(h *fake.Host) *report.Situation { return situation(t, h, section("")...) },
			wish.Addresses{}, "True", "AllApplied", nil, v1alpha1.NodeReady},
		"lost": {func(h *fake.Host) *report.Situation {
			situation(t, h, section("")...)
			h.RemoveIP("eth0", "192.0.2.10")
			h.AddIP("eth0", "192.0.2.77/24")
			return situation(t, h, section("")...)
		}, wish.Addresses{InternalIPs: []string{"192.0.2.10"}}, "False", "AddressLost", []string{"192.0.2.10", "eth0 has 192.0.2.77"}, v1alpha1.NodeDegraded},
		"another one in the cluster": {func(h *fake.Host) *report.Situation { return situation(t, h, section("")...) },
			wish.Addresses{InternalIPs: []string{"198.51.100.4"}}, "False", "NodeIPMismatch", []string{"198.51.100.4", "192.0.2.10", "kubelet writes it"}, v1alpha1.NodeDegraded},
		"another one, by a cloud provider": {func(h *fake.Host) *report.Situation { return situation(t, h, section("")...) },
			wish.Addresses{InternalIPs: []string{"198.51.100.4"}, Writer: "cloud-controller-manager, of the cloud provider openstack"},
			"False", "NodeIPMismatch", []string{"written by cloud-controller-manager, of the cloud provider openstack"}, v1alpha1.NodeDegraded},
		"ambiguous": {func(h *fake.Host) *report.Situation {
			h.AddDefaultRoute("eth1", "198.51.100.1", "", 100)
			return situation(t, h, section("")...)
		}, wish.Addresses{}, "False", "NodeIPAmbiguous", []string{"192.0.2.10 on eth0", "198.51.100.4 on eth1"}, v1alpha1.NodeDegraded},
		"the profile differs": {func(h *fake.Host) *report.Situation {
			situation(t, h, section("")...)
			return situation(t, h, section(`subnets: ["198.51.100.0/24"]`)...)
		}, wish.Addresses{InternalIPs: []string{"192.0.2.10"}}, "True", "NodeIPProfileDiffers", []string{"198.51.100.4", "192.0.2.10 stays", "deliberate move"}, v1alpha1.NodeReady},
		"kept without a section": {func(h *fake.Host) *report.Situation {
			situation(t, h, section("")...)
			return situation(t, h, accepted(t, "other", good))
		}, wish.Addresses{InternalIPs: []string{"192.0.2.10"}}, "True", "NodeIPHeld", []string{"kept until"}, v1alpha1.NodeReady},
	} {
		t.Run(name, func(t *testing.T) {
			s := tt.story(wired())
			s.Known = tt.known
			r := report.Of(s)
			if r.Status.State != tt.ready {
				t.Errorf("state %s", r.Status.State)
			}
			for _, c := range r.Status.Conditions {
				if c.Type != v1alpha1.ConditionNodeIPReady {
					continue
				}
				if string(c.Status) != tt.status || c.Reason != tt.reason {
					t.Errorf("%s/%s: %s", c.Status, c.Reason, c.Message)
				}
				for _, part := range tt.says {
					if !strings.Contains(c.Message, part) {
						t.Errorf("%q does not say %q", c.Message, part)
					}
				}
			}
			for _, c := range r.Node {
				if c.Type == v1alpha1.NodeConditionNodeIP && (string(c.Status) != tt.status || string(c.Reason) != tt.reason) {
					t.Errorf("on the Node: %+v", c)
				}
			}
		})
	}
}

func TestTheReportHasTheNodeIPAndItsCandidates(t *testing.T) {
	h := wired()
	section := accepted(t, "site", "nodeIP: {}")
	for range 2 { // as chosen, and as kept
		r := report.Of(situation(t, h, section)).Status
		n := r.NodeIP
		if n == nil || len(n.Addresses) != 1 || n.Addresses[0] != "192.0.2.10" || n.Interface != "eth0" || n.Source != "Detected" || r.Summary.NodeIP != "192.0.2.10" {
			t.Fatalf("%+v, %+v", n, r.Summary)
		}
		if want := (v1alpha1.NodeIPCandidate{Address: "198.51.100.4", Interface: "eth1", Verdict: "NoDefaultRoute"}); len(n.Candidates) != 1 || n.Candidates[0] != want {
			t.Errorf("%+v", n.Candidates)
		}
	}
	for i := range 40 {
		h.AddIP("eth1", fmt.Sprintf("10.0.0.%d/32", i+1))
	}
	if n := report.Of(situation(t, h, section)).Status.NodeIP; len(n.Candidates) > 16 {
		t.Errorf("%d candidates", len(n.Candidates))
	}
}
