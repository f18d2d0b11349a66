package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/contention"
	"github.com/hostprofile/hostprofile/hostops/facts"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Situation is all that a report is made of.
type Situation struct {
	Version string // of the agent
	Facts   facts.Facts
	// Run is the last run; a dry one if the node is paused.
	Run hostops.Reconciled
	// Refused says why there was no run.
	Refused error
	// Overrides are lines of other files that are against the wishes.
	Overrides []hostops.Override
	// Kubelet are the settings with which the kubelet of the node will not start again.
	Kubelet []hostops.KubeletRefusal
	// Accepted are what the run was about, over bootstrap's input.
	Accepted []hostops.Accepted
	Profiles []wish.Profile
	Fights   []contention.Fight
	// Preview is what would happen if nothing was planned or paused; nil if nothing is.
	Preview *item.Report
	Drift   v1alpha1.Drift
	// Known is by which addresses the cluster knows the node.
	Known     wish.Addresses
	Firewalld Firewalld
	// Removed: everything was to be given back, and was.
	Removed bool
	// Paused: the node as a whole writes nothing.
	Paused bool
}

// Report is what one node publishes.
type Report struct {
	// Status has conditions without times.
	Status v1alpha1.HostReport
	// Node are the conditions on the Node, none if they are to be withdrawn.
	Node []NodeCondition
}

// NodeCondition is a condition on the Node, without times.
type NodeCondition struct {
	Type    string
	Status  metav1.ConditionStatus
	Reason  v1alpha1.Reason
	Message string
}

// Of makes the report of a situation.
func Of(s *Situation) Report {
	c := collect(s)
	r := v1alpha1.HostReport{
		Agent:     v1alpha1.Agent{Version: cut(s.Version, 64)},
		Bootstrap: bootstrapOf(s.Run.Input),
		Facts:     factsOf(s),
		BootID:    s.Facts.BootID,
		Profiles:  profileReports(s, c.findings),
		Items:     c.counts,
		Drift:     s.Drift,
	}
	r.Drift.LastKey = cut(r.Drift.LastKey, v1alpha1.MaxKeyLength)
	r.NodeIP = nodeIPOf(s)
	r.Planned = planned(s)
	r.State = state(s, c, r.Planned)
	r.Conditions = conditions(s, c, r.State)
	for i := range c.findings {
		r.Exceptions = append(r.Exceptions, c.findings[i].Exception)
	}
	r.Summary = summary(s, c)
	fit(&r)
	out := Report{Status: r}
	if !s.Removed {
		out.Node = nodeConditions(r.Conditions)
	}
	return out
}

// state sums up in one word, the worst first.
func state(s *Situation, c *collection, p *v1alpha1.Planned) v1alpha1.NodeState {
	switch {
	case s.Removed:
		return v1alpha1.NodeRemoved
	case disabled(s):
		return v1alpha1.NodeDisabled
	case c.failsRequired() != nil:
		return v1alpha1.NodeDegraded
	case anyProfile(s, wish.Releasing):
		return v1alpha1.NodeProgressing
	case s.Paused || anyProfile(s, wish.Paused):
		return v1alpha1.NodePaused
	case p != nil && p.Total > 0:
		return v1alpha1.NodePlanned
	default:
		return v1alpha1.NodeReady
	}
}

func anyProfile(s *Situation, state wish.State) bool {
	for _, p := range s.Profiles {
		if p.State == state {
			return true
		}
	}
	return false
}
