package envtest_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const swappiness = "vm/swappiness"

// TestAgent runs agents on hosts in memory against one real API server. The tests that
// stop it or remove its CRDs come last.
func TestAgent(t *testing.T) {
	f := startFleet(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *fleet)
	}{
		{"a profile is applied, edited, repaired and given back", applyEditDriftDelete},
		{"conditions of others survive, ours say what is", nodeConditionsOfTwo},
		{"a restart writes nothing anywhere", restartWritesNothing},
		{"agents see only what is theirs", agentsSeeOnlyTheirs},
		{"conflicts hold, in every order of arrival", conflictsInEveryOrder},
		{"plans and pauses write nothing and show what would change", plansAndPauses},
		{"a node that is relabelled lets go after a while", relabel},
		{"an object that is not understood harms only itself", notUnderstood},
		{"a node that is deleted and comes back keeps its values", nodeComesBack},
		{"a node that is to be removed gets everything back", removedAndBack},
		{"a status that somebody spoiled is written again", spoiledStatus},
		{"a server that refuses, hangs or is slow hinders no work on the host", serverTroubles},
		{"who fights for a value is told, and left alone", contention},
		{"of two agents on a host one waits", twoAgents},
		{"interfaces that come and go are no storm of writes", linksComeAndGo},
		{"the address of a node is compared with what the cluster says", nodeIPOfTheCluster},
		{"list faults undo nothing", listFaults},
		{"an API server that is gone changes nothing", serverComesBack},
		{"a CRD that is deleted and comes back undoes nothing", crdComesBack},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, f) })
	}
}

func applyEditDriftDelete(t *testing.T, f *fleet) {
	m := f.join(t, "basic")
	was, _ := m.host.Sysctl(swappiness)
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonNoProfile)
	m.profile("basic", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	m.profile("basic", "sysctls: [{name: vm.swappiness, value: 20}]")
	m.live(swappiness, "20")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	begin := time.Now()
	_ = m.host.SetSysctl(swappiness, "60")
	m.live(swappiness, "20")
	t.Logf("drift repaired after %s", time.Since(begin).Round(time.Millisecond))
	m.until("the drift is told", func() bool { return m.status().Drift.Repaired == 1 })
	m.deleteProfile("basic")
	m.stays(swappiness, "20", 900*time.Millisecond)
	m.live(swappiness, was)
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonNoProfile)
}

const kubeletReady = "Ready=True/KubeletReady"

func nodeConditionsOfTwo(t *testing.T, f *fleet) {
	m := f.join(t, "conditions")
	m.profile("conditions", "sysctls: [{name: vm.no_such_key, value: 1}]")
	want := kubeletReady + " HostProfileReady=False/KeyNotFound HostSysctlsReady=False/KeyNotFound HostFirewalldReady=True/NotManaged HostNodeIPReady=True/NotManaged"
	m.until("conditions "+want, func() bool { return sameWords(m.conditions(), want) })
	m.profile("conditions", "sysctls: [{name: vm.swappiness, value: 10}]")
	want = strings.ReplaceAll(want, "False/KeyNotFound", "True/AllApplied")
	m.until("conditions "+want, func() bool { return sameWords(m.conditions(), want) })
	m.patchNode(`{"metadata":{"annotations":{"hostprofile.io/desired-state":"Removed"}}}`)
	m.until("only the kubelet's condition is left", func() bool { return m.conditions() == kubeletReady })
}

// sameWords compares without the order.
func sameWords(a, b string) bool {
	have := map[string]int{}
	for _, w := range strings.Fields(a) {
		have[w]++
	}
	for _, w := range strings.Fields(b) {
		have[w]--
	}
	for _, n := range have {
		if n != 0 {
			return false
		}
	}
	return true
}

func restartWritesNothing(t *testing.T, f *fleet) {
	m := f.join(t, "restart")
	m.profile("restart", "sysctls: [{name: vm.swappiness, value: 10}], kernelModules: [{name: br_netfilter}]")
	m.profile("restart-plan", "mode: Plan, priority: 1, sysctls: [{name: vm.swappiness, value: 20}]")
	m.state(v1alpha1.NodePlanned, v1alpha1.ReasonPlanned)
	m.quiet()
	host, api := m.host.Mutations(), m.wire.writes.Load()
	m.host.KeepLog()
	for range 3 {
		m.restart()
		time.Sleep(1500 * time.Millisecond)
	}
	if n := m.host.Mutations() - host; n > 0 {
		t.Errorf("%d changes of the host: %v", n, m.host.Log())
	}
	if n := m.wire.writes.Load() - api; n > 0 {
		t.Errorf("%d writes to the API server", n)
	}
}

func agentsSeeOnlyTheirs(t *testing.T, f *fleet) {
	a, b := f.join(t, "two-a"), f.join(t, "two-b")
	a.profile("two-a", "sysctls: [{name: vm.swappiness, value: 10}]")
	b.profile("two-b", "sysctls: [{name: vm.swappiness, value: 20}]")
	a.live(swappiness, "10")
	b.live(swappiness, "20")
	for _, m := range []*member{a, b} {
		n := 0
		m.wire.paths.Range(func(key, _ any) bool {
			n++
			path, selector, _ := strings.Cut(key.(string), " ")
			if !strings.HasSuffix(path, "/hostprofiles") && selector != "metadata.name="+m.name {
				t.Errorf("%s watches %s with the selector %q", m.name, path, selector)
			}
			return true
		})
		if n != 3 {
			t.Errorf("%d things are watched", n)
		}
	}
	var s v1alpha1.HostProfileStatus
	var n corev1.Node
	if err := f.admin.Get(t.Context(), client.ObjectKey{Name: "two-a"}, &n); err != nil {
		t.Fatal(err)
	}
	a.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	if err := f.admin.Get(t.Context(), client.ObjectKey{Name: "two-a"}, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.OwnerReferences) != 1 || s.OwnerReferences[0].UID != n.UID {
		t.Errorf("owners %+v", s.OwnerReferences)
	}
}

func conflictsInEveryOrder(t *testing.T, f *fleet) {
	specs := map[string]string{"a": "10", "b": "20", "c": "30"}
	for _, order := range []string{"abc", "acb", "bac", "bca", "cab", "cba"} {
		t.Run(order, func(t *testing.T) {
			m := f.join(t, "conflict-"+order)
			name := func(p rune) string { return "conflict-" + order + "-" + string(p) }
			first := ""
			for _, p := range order {
				m.profile(name(p), "sysctls: [{name: vm.swappiness, value: "+specs[string(p)]+"}]")
				if first == "" {
					first = specs[string(p)]
					m.live(swappiness, first)
				}
			}
			s := m.state(v1alpha1.NodeDegraded, v1alpha1.ReasonConflict)
			m.until("all three are told", func() bool {
				s = m.status()
				return len(s.Exceptions) == 1 && strings.Contains(s.Exceptions[0].Message,
					name('a')+" wants 10 and "+name('b')+" wants 20 and "+name('c')+" wants 30")
			})
			m.stays(swappiness, first, 200*time.Millisecond)
			_ = m.host.SetSysctl(swappiness, "42")
			m.stays(swappiness, "42", 1300*time.Millisecond) // held: neither written nor restored
			for _, p := range order[1:] {
				m.deleteProfile(name(p))
			}
			m.live(swappiness, first)
		})
	}
}

func plansAndPauses(t *testing.T, f *fleet) {
	m := f.join(t, "plan")
	m.profile("plan", "mode: Plan, sysctls: [{name: vm.swappiness, value: 10}]")
	s := m.state(v1alpha1.NodePlanned, v1alpha1.ReasonPlanned)
	if s.Planned == nil || s.Planned.Total != 1 || s.Planned.Changes[0].Want != "10" || m.host.Mutations() > 5 {
		t.Errorf("planned %+v, %d changes", s.Planned, m.host.Mutations())
	}
	m.profile("plan", "mode: Enforce, sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	m.profile("plan", "mode: Enforce, paused: true, sysctls: [{name: vm.swappiness, value: 20}]")
	m.state(v1alpha1.NodePaused, v1alpha1.ReasonPaused)
	_ = m.host.SetSysctl(swappiness, "42")
	m.stays(swappiness, "42", 1300*time.Millisecond)
	m.profile("plan", "mode: Enforce, sysctls: [{name: vm.swappiness, value: 20}]")
	m.live(swappiness, "20")
	m.patchNode(`{"metadata":{"annotations":{"hostprofile.io/paused-until":"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"}}}`)
	m.state(v1alpha1.NodePaused, v1alpha1.ReasonPaused)
	m.profile("plan", "mode: Enforce, sysctls: [{name: vm.swappiness, value: 30}]")
	m.stays(swappiness, "20", time.Second)
	m.patchNode(`{"metadata":{"annotations":{"hostprofile.io/paused-until":null}}}`)
	m.live(swappiness, "30")
}

func relabel(t *testing.T, f *fleet) {
	m := f.join(t, "relabel")
	was, _ := m.host.Sysctl(swappiness)
	m.profile("relabel", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	m.patchNode(`{"metadata":{"labels":{"test":"other"}}}`)
	m.stays(swappiness, "10", 900*time.Millisecond)
	m.live(swappiness, was)
	m.patchNode(`{"metadata":{"labels":{"test":"relabel"}}}`)
	m.live(swappiness, "10")
}

func notUnderstood(t *testing.T, f *fleet) {
	m := f.join(t, "odd")
	m.profile("odd", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	m.withFault(func(body string) string {
		return strings.ReplaceAll(body, `"nodeSelector":{"matchLabels":{"test":"odd"}},"sysctls":[{"name":"vm.swappiness","value":11}]`,
			`"nodeSelector":{"matchLabels":{"test":"odd"}},"colour":"red","sysctls":[{"name":"vm.swappiness","value":11}]`)
	})
	m.restart()
	m.profile("odd", "sysctls: [{name: vm.swappiness, value: 11}]")
	m.profile("odd-other", "sysctls: [{name: vm.max_map_count, value: 262144}]")
	m.live("vm/max_map_count", "262144")
	m.state(v1alpha1.NodeDegraded, v1alpha1.ReasonNotUnderstood)
	m.stays(swappiness, "10", time.Second)
}

func nodeComesBack(t *testing.T, f *fleet) {
	m := f.join(t, "node")
	m.profile("node", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name}}
	if err := f.admin.Delete(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	m.stays(swappiness, "10", 1500*time.Millisecond)
	bare := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name}} // its labels come later
	if err := f.admin.Create(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	m.stays(swappiness, "10", 2500*time.Millisecond)
	m.patchNode(`{"metadata":{"labels":{"test":"node"}}}`)
	m.stays(swappiness, "10", 3*time.Second)
	m.until("the status belongs to the new Node", func() bool {
		var s v1alpha1.HostProfileStatus
		_ = f.admin.Get(t.Context(), client.ObjectKey{Name: m.name}, &s)
		return len(s.OwnerReferences) == 1 && s.OwnerReferences[0].UID == bare.UID
	})
	m.until("the conditions are back", func() bool { return strings.Contains(m.conditions(), "HostProfileReady=True/AllApplied") })
}

func removedAndBack(t *testing.T, f *fleet) {
	m := f.join(t, "removed")
	was, _ := m.host.Sysctl(swappiness)
	m.profile("removed", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	m.patchNode(`{"metadata":{"annotations":{"hostprofile.io/desired-state":"Removed"}}}`)
	m.live(swappiness, was)
	m.state(v1alpha1.NodeRemoved, v1alpha1.ReasonNotManaged)
	m.patchNode(`{"metadata":{"annotations":{"hostprofile.io/desired-state":null}}}`)
	m.live(swappiness, "10")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
}

func spoiledStatus(t *testing.T, f *fleet) {
	m := f.join(t, "spoiled")
	m.profile("spoiled", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	s := &v1alpha1.HostProfileStatus{ObjectMeta: metav1.ObjectMeta{Name: m.name}}
	if err := f.admin.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
}
