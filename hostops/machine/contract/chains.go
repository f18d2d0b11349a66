package contract

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// chains is what filters packets.
var chains = []sentence{
	{"a fresh host has no chains", func(t *testing.T, _ World, m *machine.Machine) {
		got, err := m.Network.Chains(t.Context())
		if works(t, "chains", err); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	}},
	{"a chain has its family, its table and its name", func(t *testing.T, w World, m *machine.Machine) {
		want := []machine.Chain{
			{Family: "ip", Table: "nat", Name: "KUBE-SERVICES"},
			{Family: "ip", Table: "nat", Name: "CILIUM_POST_nat"},
			{Family: "ip6", Table: "filter", Name: "KUBE-FIREWALL"},
			{Family: "inet", Table: "site", Name: "input"},
		}
		for _, c := range want {
			w.AddChain(c.Family, c.Table, c.Name)
		}
		got, err := m.Network.Chains(t.Context())
		works(t, "chains", err)
		for _, c := range want {
			if !slices.Contains(got, c) {
				t.Errorf("no %+v in %+v", c, got)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d chains, want %d: %+v", len(got), len(want), got)
		}
	}},
}
