package agent

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

const (
	lockEvery   = 2 * time.Second       // how often a taken agent lock is tried again
	settle      = 50 * time.Millisecond // the least time between two runs
	retryWatch  = 10 * time.Second      // after the host could not be watched
	longestWait = 10 * time.Minute      // without any event
	retryBusy   = 5 * time.Second       // after another run kept the run lock
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
	var watching sync.WaitGroup
	watching.Go(func() { a.watch(ctx) })
	a.Ring(CauseStart)
	wait := longestWait
	for {
		ring, ok := a.bell.Wait(ctx, wait)
		if !ok {
			break
		}
		next := a.Step(ctx, ring)
		a.readiness.ran.Store(true)
		wait = longestWait
		if !next.IsZero() {
			wait = min(wait, next.Sub(a.options.Now()))
		}
		pause(ctx, settle)
	}
	watching.Wait()
	return release()
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
			a.tell("another agent keeps this host; waiting for it to end", "holder", busy.Holder)
		} else {
			a.tell("the agent's lock cannot be taken", "err", err)
		}
		if !pause(ctx, lockEvery) {
			return nil, ctx.Err()
		}
	}
}

// watch rings whenever the host changes. If it cannot, a run every minute has to do.
func (a *Agent) watch(ctx context.Context) {
	for ctx.Err() == nil {
		err := a.watcher.Run(ctx, a.Ring)
		if err == nil {
			continue
		}
		a.log.Warn("the host cannot be watched", "err", err)
		if pause(ctx, retryWatch) {
			a.Ring(CauseTime)
		}
	}
}

// pause waits, and reports whether ctx still goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
