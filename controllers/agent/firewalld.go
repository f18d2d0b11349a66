package agent

import (
	"context"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// reloadNews is how long a reload of firewalld is told: long enough to be seen, and to
// set off an alert.
const reloadNews = time.Hour

// lookAtFirewalld adds what firewalld is, on a node where some profile is about it.
func (a *Agent) lookAtFirewalld(ctx context.Context, s *report.Situation) {
	if s.Refused != nil || !aboutFirewalld(&s.Run.Report) {
		return
	}
	daemon, err := a.host.Firewalld(ctx)
	if err != nil {
		return // its items say so
	}
	seen := a.watcher.Reloads()
	a.options.Metrics.reloaded(daemon.Backend, seen.Count)
	s.Firewalld = report.Firewalld{Firewalld: daemon, Node: a.options.Node, Reloads: seen.Count}
	profiles := []v1alpha1.HostProfile{}
	if s.Run.Input != nil {
		profiles = s.Run.Input.Profiles
	}
	if s.Firewalld.Managed, err = a.host.ManagedInterfaces(profiles); err != nil {
		a.tell("the interfaces of NetworkManager cannot be told", "err", err)
	}
	if seen.Count > 0 && a.options.Now().Sub(seen.Last) < reloadNews {
		s.Firewalld.Reloaded = seen.Last
	}
}

func aboutFirewalld(r *item.Report) bool {
	for _, s := range r.Stages {
		for i := range s.Results {
			if s.Results[i].Key.Kind() == item.Firewalld {
				return true
			}
		}
	}
	return false
}
