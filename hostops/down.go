package hostops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// DownOptions change what Down does.
type DownOptions struct {
	// Adopt removes our files although the ledger is lost or unreadable. What was there
	// before us is unknown then, and live values are left as they are.
	Adopt bool
	// Purge also removes the marker that keeps the agent and the unit out.
	Purge bool
	// NodeAsks: the agent gives the host back because its Node asks for that. If it does
	// not end, and the Node asks no more, the agent's next Reconcile goes on.
	NodeAsks bool
}

// What the marker says: who gives the host back.
const (
	markOfPerson = "bootstrap down was run on this host\n"
	markOfAgent  = "the agent gives this host back, as its Node asks\n"
)

func (o DownOptions) mark() string {
	if o.NodeAsks {
		return markOfAgent
	}
	return markOfPerson
}

// PlanDown says what Down would do. It writes nothing and takes no lock.
func (h *Host) PlanDown(ctx context.Context) (item.Report, error) {
	led, err := h.openLedger()
	if err != nil {
		return item.Report{}, refuse(err)
	}
	report, err := h.engineOfBoot(led).Run(ctx, item.Desired{}, engine.Options{DryRun: true, Reverse: true})
	h.tellMounts(&report)
	return report, err
}

// Down gives back all that is recorded, removes the record and leaves the marker that
// keeps the agent and the unit out. What somebody changed since is left as found and
// reported. A host on which nothing is recorded is left alone.
//
// Run again after a failure it goes on where it stopped. The error means that the run
// was refused, with the host untouched, or had to stop; what could not be given back is
// in the report and stays recorded.
func (h *Host) Down(ctx context.Context, o DownOptions) (report item.Report, err error) {
	lock, err := h.lock(ctx)
	if err != nil {
		return item.Report{}, err
	}
	defer func() { err = errors.Join(err, lock.done()) }()
	led, err := h.openOrAdopt(ctx, nil, o.Adopt)
	if err != nil {
		return item.Report{}, err
	}
	if led.Durable.Exists() || led.Volatile.Len() > 0 {
		report, err = h.giveBack(ctx, lock, led, o)
		h.tellMounts(&report)
		if err != nil || !empty(led) {
			return report, err
		}
	}
	return report, h.forget(led, o.Purge || h.offline())
}

func empty(led *ledger.Ledger) bool { return led.Durable.Len() == 0 && led.Volatile.Len() == 0 }

// forget removes our own state: the saved input first and the ledger last, so that no
// crash in between looks like a lost ledger.
func (h *Host) forget(led *ledger.Ledger, purge bool) error {
	for _, f := range ownFiles {
		if f.fate != forgotten {
			continue
		}
		if err := h.remove(f.path); err != nil {
			return err
		}
	}
	if err := led.Volatile.Remove(); err != nil {
		return err
	}
	if led.Durable.Exists() {
		if err := led.Durable.Remove(); err != nil {
			return err
		}
	}
	if purge {
		if err := h.remove(paths.Disabled); err != nil {
			return err
		}
	}
	for _, lock := range []string{paths.AgentLock, paths.ResidentLock} {
		if err := h.dropLock(lock); err != nil {
			return err
		}
	}
	if err := h.rmdir(paths.StateDir); err != nil {
		return err
	}
	// Whoever waits for the lock finds its file gone and makes a new one: from here on another
	// run may have begun.
	if err := h.remove(paths.RunLock); err != nil {
		return err
	}
	return h.rmdir(paths.RunDir)
}

// rmdir removes a folder of ours, unless it is gone or in use.
func (h *Host) rmdir(path string) error {
	if err := h.machine.Files.Rmdir(path); err != nil && !isGone(err) {
		return err
	}
	return nil
}

// dropLock removes the lock file that a process which has ended left behind. That of one
// that runs stays, with its folder: without it a second such process could begin.
func (h *Host) dropLock(path string) error {
	if _, err := h.machine.Files.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	release, err := h.tryLock(path)
	if busy := (*machine.BusyError)(nil); errors.As(err, &busy) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(h.remove(path), release())
}

func (h *Host) remove(path string) error {
	if err := h.machine.Files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	return nil
}
