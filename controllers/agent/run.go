package agent

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

const (
	lockEvery = 2 * time.Second // how often a taken agent lock is tried again
	retryBusy = 5 * time.Second // after another run kept the run lock
)

// readiness is read by the health endpoint.
type readiness struct{ locked, ran atomic.Bool }

// Ready reports whether the agent has its lock and has looked at the host.
func (a *Agent) Ready() bool { return a.readiness.locked.Load() && a.readiness.ran.Load() }

// Run keeps the host until ctx ends. It waits while another agent has the host.
func (a *Agent) Run(ctx context.Context) error {
	release, err := a.takeHost(ctx)
	if err != nil {
		return err
	}
	a.readiness.locked.Store(true)
	loop := keep.Loop{Bell: a.bell, Watcher: a.watcher, Log: a.log, Now: a.options.Now, Step: a.takeStep}
	loop.Run(ctx)
	return release()
}

func (a *Agent) takeStep(ctx context.Context, ring keep.Ring) time.Time {
	next := a.Step(ctx, ring)
	a.readiness.ran.Store(true)
	return next
}

// takeHost takes the agent's lock. Errors other than a taken lock are told and tried
// again as well: /run may not be there yet.
func (a *Agent) takeHost(ctx context.Context) (release func() error, err error) {
	for {
		if release, err = a.host.LockAgent(); err == nil {
			return release, nil
		}
		var busy *machine.BusyError
		if errors.As(err, &busy) {
			a.tell("somebody else keeps this host; waiting for it to end", "holder", busy.Holder)
		} else {
			a.tell("the agent's lock cannot be taken", "err", err)
		}
		if !keep.Pause(ctx, lockEvery) {
			return nil, ctx.Err()
		}
	}
}
