package hostops

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// lockPoll is how often a taken lock is tried again.
const lockPoll = 100 * time.Millisecond

// runLock is the exclusive right to write to the host.
type runLock struct {
	host    *Host
	release func() error
}

// lock takes the run lock, waiting for at most the lock timeout. The error is a
// *machine.BusyError that names the holder if it cannot be had.
func (h *Host) lock(ctx context.Context) (*runLock, error) {
	l := &runLock{host: h}
	if err := l.take(ctx); err != nil {
		return l, err
	}
	h.sweep()
	return l, nil
}

func (l *runLock) take(ctx context.Context) error {
	if l.host.options.Tree {
		l.release = func() error { return nil } // its /run may be another host's
		return nil
	}
	clock := l.host.running.Clock
	deadline := clock.Now().Add(l.host.options.LockTimeout)
	for told := false; ; {
		release, err := l.host.tryRunLock()
		if err == nil {
			l.release = release
			return nil
		}
		busy := &machine.BusyError{}
		if !errors.As(err, &busy) || !clock.Now().Before(deadline) {
			return err
		}
		if !told {
			told = true
			l.host.enter("waiting for " + busy.Holder)
		}
		if err := clock.Sleep(ctx, lockPoll); err != nil {
			return errors.Join(err, busy)
		}
	}
}

// enter tells whoever watches this run what it does now.
func (h *Host) enter(stage string) {
	if h.options.Progress != nil {
		h.options.Progress(stage)
	}
}

// tryLock takes one of our locks without waiting. A `down` that ends at this moment
// removes the folder that the lock is in.
func (h *Host) tryLock(path string) (func() error, error) {
	var err error
	for range 3 {
		if err = h.makeDir(paths.RunDir); err != nil {
			return nil, err
		}
		var release func() error
		if release, err = h.machine.Locks.TryLock(path, h.options.Holder); !errors.Is(err, fs.ErrNotExist) {
			return release, err
		}
	}
	return nil, err
}

// done releases the lock.
func (l *runLock) done() error {
	if l.release == nil {
		return nil
	}
	err := l.release()
	l.release = nil
	return err
}

// unlocked makes the engine run slow writes without the lock. The ledger is read again
// afterwards: another run may have written it meanwhile. One that has changed what is
// wished, or given the host back, has ended this one.
func (l *runLock) unlocked(e *engine.Engine, led *ledger.Ledger) {
	h := l.host
	e.Unlocked = func(ctx context.Context, slow func()) error {
		disabled, wished := h.Disabled(), lastWritten(h.machine, wishedFiles)
		if err := l.done(); err != nil {
			return err
		}
		slow()
		if err := l.take(ctx); err != nil {
			return err
		}
		h.unitSeen, h.unitFresh = nil, false
		err := led.Reload(h.ledgerOptions())
		switch {
		case err != nil:
			return err
		case h.Disabled() && !disabled:
			return ErrDisabled
		case lastWritten(h.machine, wishedFiles) != wished:
			return errOtherWishes
		default:
			return nil
		}
	}
}

// ErrOvertaken: while a run had given up its lock for a swap area, another one was given other
// wishes or gave the host back. The first one has written nothing since.
var ErrOvertaken = engine.ErrOvertaken

// wishedFiles say what is wished of a host, or that nothing is.
var wishedFiles = []string{paths.Input, paths.Accepted, paths.Disabled}

var errOtherWishes = errors.New("what is wished of this host was changed meanwhile")

// makeDir creates one of our own directories, for root only.
func (h *Host) makeDir(path string) error {
	err := h.machine.Files.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// LockAgent takes the lock that the agent holds for its life, without waiting: while it
// is held, nobody else repairs this host. The error is a *machine.BusyError if another
// agent has it.
func (h *Host) LockAgent() (release func() error, err error) { return h.tryLock(paths.AgentLock) }

// LockResident takes the lock that the process of hostprofile.service holds for its life,
// without waiting. The error is a *machine.BusyError if another one has it.
func (h *Host) LockResident() (release func() error, err error) { return h.tryLock(paths.ResidentLock) }

// Keeper says who repairs a host.
type Keeper string

// Those who repair hosts.
const (
	Agent    Keeper = "agent"    // the agent of the cluster
	Resident Keeper = "resident" // the process of hostprofile.service
	Nobody   Keeper = "nobody"
)

// Kept says who repairs this host now, and what they call themselves. It takes no lock.
func (h *Host) Kept() (by Keeper, note string, err error) {
	if h.Disabled() {
		return Nobody, "", nil
	}
	// The resident holds the agent's lock, too, while it runs.
	resident, err := h.machine.Locks.Holder(paths.ResidentLock)
	if err != nil {
		return Nobody, "", err
	}
	agent, err := h.machine.Locks.Holder(paths.AgentLock)
	switch {
	case err != nil:
		return Nobody, "", err
	case agent != "" && agent != resident:
		return Agent, agent, nil
	case resident != "":
		return Resident, resident, nil
	default:
		return Nobody, "", nil
	}
}
