package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Step is one turn of the loop: decide, bring the host to it, say what came of it. It
// returns when to do it again although nothing happened; zero if there is no reason to.
func (a *Agent) Step(ctx context.Context, ring keep.Ring) (next time.Time) {
	now := a.options.Now()
	view := a.cluster.View()
	if a.nameTaken(view.Node) {
		return now.Add(time.Minute)
	}
	s := &report.Situation{Version: a.options.Version, Facts: a.host.Facts()}
	if view.Node != nil {
		s.Known = view.Node.Addresses
	}
	removed, until := view.Node != nil && view.Node.Removed, a.pause.Until(view.Node, now)
	if err := a.recall(ctx, view, until.IsZero() && !removed); err != nil && !removed {
		s.Refused = err
		a.publish(view, s)
		return now.Add(time.Minute)
	}
	d := a.memory.Next(view, a.accepted, now)
	a.cluster.Doubt(d.Doubtful)
	s.Profiles, s.Accepted = d.Profiles, d.Accepted
	switch {
	case removed:
		a.giveBack(ctx, s)
	case !until.IsZero():
		a.look(ctx, s, d)
	default:
		a.enforce(ctx, view, s, d, ring)
	}
	if busy := (*machine.BusyError)(nil); errors.As(s.Refused, &busy) {
		a.tell("another run is at work on this host", "holder", busy.Holder)
		return now.Add(retryBusy)
	}
	if ctx.Err() != nil {
		return time.Time{}
	}
	if s.Refused != nil || s.Removed {
		a.watcher.Forget() // what changes is not ours to mend now: a look each minute will do
	}
	a.conclude(ctx, s, ring)
	a.lookAtFirewalld(ctx, s)
	a.publish(view, s)
	return earliest(a.repairs.Next(now), until)
}

// recall learns what was accepted last, once. If that cannot be read nothing may be
// written: what it said would be given back. What the cluster wishes now can replace it
// once the cluster was heard, and unless nothing may be written anyway.
func (a *Agent) recall(ctx context.Context, view wish.View, mayWrite bool) error {
	if a.recalled {
		return nil
	}
	accepted, err := a.host.Accepted()
	var refused *hostops.RefusedError
	if errors.As(err, &refused) && mayWrite && view.Synced && view.Node != nil {
		accepted = a.memory.Next(view, nil, a.options.Now()).Accepted
		if err = a.host.ReplaceAccepted(ctx, accepted); err == nil {
			a.log.Warn("the profiles accepted last cannot be read, and were replaced by what the cluster wishes now", "was", refused.Err)
		}
	}
	if err != nil {
		return err
	}
	a.accepted, a.recalled = accepted, true
	return nil
}

// nameTaken reports whether the Node of our name belongs to another machine. Then
// neither it nor this host is ours to write.
func (a *Agent) nameTaken(n *wish.Node) bool {
	own := a.host.Facts().MachineID
	if n == nil || n.MachineID == "" || own == "" || n.MachineID == own {
		return false
	}
	a.tell("NodeNameTaken: the Node of this name is another machine; nothing is written",
		"machineID", own, "nodeMachineID", n.MachineID)
	return true
}

// enforce brings the host to what was decided.
func (a *Agent) enforce(ctx context.Context, view wish.View, s *report.Situation, d wish.Decision, ring keep.Ring) {
	s.Run, s.Refused = a.host.Reconcile(ctx, d.Accepted, hostops.ReconcileOptions{
		Report: a.leaves(d.Accepted), NodeAddresses: s.Known.InternalIPs, NotAsked: view.Synced && view.Node != nil,
	})
	if errors.Is(s.Refused, hostops.ErrDisabled) {
		a.recalled = false // what was accepted is taken from the host too
	}
	if s.Refused != nil {
		return
	}
	a.accepted = d.Accepted
	a.watcher.Expect(s.Run.Report)
	a.noteRun(&s.Run.Report, ring)
	if d.Preview != nil {
		a.preview(ctx, s, d.Preview)
	}
}

// look is enforce for a node that is paused: it writes nothing.
func (a *Agent) look(ctx context.Context, s *report.Situation, d wish.Decision) {
	s.Paused = true
	s.Run.Report, s.Refused = a.host.Preview(ctx, a.accepted)
	if s.Refused != nil {
		return
	}
	s.Run.NodeIP = a.host.DecidedNodeIP()
	if s.Run.Input, s.Refused = a.host.SavedInput(); s.Refused != nil {
		return
	}
	a.watcher.Expect(s.Run.Report)
	wanted := d.Accepted
	if d.Preview != nil {
		wanted = d.Preview
	}
	a.preview(ctx, s, wanted)
}

func (a *Agent) preview(ctx context.Context, s *report.Situation, wanted []hostops.Accepted) {
	r, err := a.host.Preview(ctx, wanted)
	if err != nil {
		a.tell("what is planned cannot be previewed", "err", err)
		return
	}
	s.Preview = &r
}

// giveBack takes everything of ours from the host, and leaves no marker: the annotation
// is what keeps us out.
func (a *Agent) giveBack(ctx context.Context, s *report.Situation) {
	s.Removed, s.Profiles = true, nil
	left, err := a.host.Remains()
	if err == nil && len(left) > 0 {
		a.log.Info("giving everything back, as the Node asks for")
		if _, err = a.host.Down(ctx, hostops.DownOptions{Purge: true, NodeAsks: true}); err == nil {
			left, err = a.host.Remains()
		}
	}
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("not everything could be given back: %s", strings.Join(left, ", "))
	}
	if err != nil {
		s.Removed, s.Refused = false, err
		return
	}
	a.accepted, a.overrides, a.kubelet = nil, nil, nil
}

// publish says what came of it, once the cluster's wishes were part of it.
func (a *Agent) publish(view wish.View, s *report.Situation) {
	if !view.Synced || view.Node == nil {
		return
	}
	published, known := a.cluster.Published()
	if !known {
		return
	}
	a.drift.resume(published, s.Facts.BootID)
	s.Drift = a.drift.total()
	r := report.Of(s)
	a.options.Metrics.observe(s, &r)
	a.cluster.Publish(r)
}

func earliest(times ...time.Time) time.Time {
	var first time.Time
	for _, t := range times {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}
