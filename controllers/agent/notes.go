package agent

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// leaves returns which wishes are told and not repaired when others changed them.
func (a *Agent) leaves(accepted []hostops.Accepted) func(item.Want) bool {
	input, err := a.host.SavedInput()
	if err != nil {
		input = nil // Reconcile reads it again and says so
	}
	return a.repairs.Leave(hostops.ToldOnly(accepted, input), a.options.Now())
}

// noteRun remembers, counts and logs what a run did.
func (a *Agent) noteRun(r *item.Report, ring keep.Ring) {
	written := a.repairs.Note(r, ring, a.options.Now(), a.log)
	for i := range written {
		c := &written[i]
		if c.Drift {
			a.drift.count(c.Key, metav1.NewTime(a.options.Now()))
		}
		a.options.Metrics.changed(&c.Result, c.Cause, ring.Drift)
	}
}

// conclude adds what is known beside the run.
func (a *Agent) conclude(ctx context.Context, s *report.Situation, ring keep.Ring) {
	if s.Refused != nil {
		a.tell("the run was refused", "err", s.Refused)
		a.options.Metrics.refused()
		return
	}
	if s.Removed {
		return
	}
	s.Fights = a.repairs.Contended()
	if !ring.Only(hostops.CauseDrift, hostops.CauseLink) {
		a.readOverrides(s.Run.Input)
		a.kubelet = a.host.KubeletRefusals(ctx, &s.Run.Report)
	}
	s.Overrides, s.Kubelet = a.overrides, a.kubelet
}

// readOverrides looks for lines of other files that are against the wishes.
func (a *Agent) readOverrides(in *hostops.Input) {
	profiles := []v1alpha1.HostProfile{}
	if in != nil {
		profiles = in.Profiles
	}
	found, err := a.host.Overrides(profiles)
	if err != nil {
		a.tell("the files of sysctl.d cannot be read", "err", err)
		return
	}
	a.overrides = found
}

// driftCount counts repairs in this boot of the host, across restarts of the agent.
type driftCount struct {
	before  v1alpha1.Drift // what an earlier agent counted
	resumed bool
	own     v1alpha1.Drift
}

// resume goes on from what is published, if that is about this boot. Only the first call
// counts.
func (d *driftCount) resume(published *v1alpha1.HostReport, bootID string) {
	if d.resumed {
		return
	}
	d.resumed = true
	if published != nil && published.BootID == bootID {
		d.before = published.Drift
	}
}

func (d *driftCount) count(k item.Key, at metav1.Time) {
	at = metav1.NewTime(at.Truncate(1e9)) // whole seconds, as the API keeps them
	d.own.Repaired++
	d.own.LastKey, d.own.LastTime = string(k), &at
}

func (d *driftCount) total() v1alpha1.Drift {
	t := d.own
	t.Repaired += d.before.Repaired
	if t.LastTime == nil {
		t.LastKey, t.LastTime = d.before.LastKey, d.before.LastTime
	}
	return t
}
