package resident

import (
	"context"
	"errors"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

const (
	retryBusy  = time.Second      // after another run kept the run lock
	retryAgent = 10 * time.Second // how often an agent's lock is tried again
	retryFirst = time.Second      // after a run that did not reach what is required; doubles
	retryMost  = 30 * time.Second
)

// finding is what came of one look at the host.
type finding struct {
	// holds: all that is required does.
	holds bool
	// idle: there is nothing to keep, and nothing to write down.
	idle    bool
	message string
	again   time.Duration // when to look again although nothing happens; 0 for never
}

// turn keeps the host, as far as that is ours to do now.
func (r *Resident) turn(ctx context.Context, ring keep.Ring) finding {
	switch {
	case r.host.Disabled():
		return r.rest("given back by 'bootstrap down'; nothing is kept before the next 'bootstrap up'")
	case !r.host.Managed():
		return r.rest("nothing is managed on this host; 'bootstrap up' begins")
	}
	if err := r.sit(); err != nil {
		return r.refused(ctx, err)
	}
	release, err := r.host.LockAgent()
	if busy := (*machine.BusyError)(nil); errors.As(err, &busy) {
		return r.beside(ctx, busy.Holder)
	}
	if err != nil {
		return r.refused(ctx, err)
	}
	f := r.enforce(ctx, ring)
	if err := release(); err != nil {
		r.log.Warn("the agent's lock cannot be released", "err", err)
	}
	return f
}

// rest is the turn on a host on which there is nothing to keep.
func (r *Resident) rest(why string) finding {
	r.watcher.Forget()
	r.repairs, r.failures = keep.Repairs{}, 0
	if err := r.leave(); err != nil {
		r.log.Warn("the lock cannot be released", "err", err)
	}
	return finding{holds: true, idle: true, message: why}
}

// sit takes the lock of the only resident, once.
func (r *Resident) sit() (err error) {
	if r.seat == nil {
		r.seat, err = r.host.LockResident()
	}
	return err
}

// beside is the turn while an agent keeps the host. It only has to be known whether the
// kubelet may start.
func (r *Resident) beside(ctx context.Context, agent string) finding {
	r.watcher.Forget()
	f := finding{holds: true, again: retryAgent, message: "kept by " + agent}
	if !r.gate.Open {
		look := r.look(ctx)
		f.holds = look.holds
		if !f.holds {
			f.message = look.message + " (kept by " + agent + ")"
		}
	}
	return f
}

// enforce is the turn in which the host is ours to keep.
func (r *Resident) enforce(ctx context.Context, ring keep.Ring) finding {
	rec, err := r.host.Reapply(ctx, hostops.ReconcileOptions{Report: r.leaves(), Since: r.since})
	busy := (*machine.BusyError)(nil)
	switch {
	case errors.Is(err, hostops.ErrDisabled):
		return r.rest("given back by 'bootstrap down'; nothing is kept before the next 'bootstrap up'")
	case errors.As(err, &busy):
		return finding{holds: r.gate.Open, message: "another run is at work on this host: " + busy.Holder, again: retryBusy}
	case err != nil:
		return r.refused(ctx, err)
	}
	r.watcher.Expect(rec.Report)
	r.repairs.Note(&rec.Report, ring, r.options.Now(), r.log)
	f := r.judge(&rec)
	if f.holds {
		r.failures = 0
		return f
	}
	f.again = r.backOff()
	return f
}

// leaves returns which wishes are told and not repaired when others changed them.
func (r *Resident) leaves() func(item.Want) bool {
	accepted, err := r.host.Accepted()
	in, inErr := r.host.SavedInput()
	if errors.Join(err, inErr) != nil {
		accepted, in = nil, nil // the run reads them again and says so
	}
	return r.repairs.Leave(hostops.ToldOnly(accepted, in), r.options.Now())
}

// refused is the turn in which nothing may be written. Whether what is required holds can
// be seen all the same.
func (r *Resident) refused(ctx context.Context, why error) finding {
	r.watcher.Forget()
	f := r.look(ctx)
	text := why.Error()
	if refused := (*hostops.RefusedError)(nil); errors.As(why, &refused) && refused.Fix != "" {
		text += "; " + refused.Fix
	}
	f.message += "; nothing is written: " + text
	f.again = r.backOff()
	return f
}

// look judges the host without writing to it.
func (r *Resident) look(ctx context.Context) finding {
	rec, err := r.host.Look(ctx)
	if err != nil {
		return finding{message: "kubelet is waiting until it can be told what is required: " + err.Error()}
	}
	return r.judge(&rec)
}

// backOff returns how long to wait after a run that failed.
func (r *Resident) backOff() time.Duration {
	wait := min(retryFirst<<min(r.failures, 10), retryMost)
	r.failures++
	return wait
}
