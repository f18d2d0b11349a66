package hostops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// giveBack gives back all that is recorded. The unit runs while settings go back, so that
// its process and what depends on it see an orderly end, but can neither be started by a
// boot (where somebody else lets boots start it, its process finds the marker) nor be
// started again; only when nothing is left but its own files is it stopped.
// Whatever fails before that lets it go on as it was.
func (h *Host) giveBack(ctx context.Context, lock *runLock, led *ledger.Ledger, o DownOptions) (item.Report, error) {
	if err := h.makeDir(paths.StateDir); err != nil {
		return item.Report{}, err
	}
	enabled, err := h.beginDown(ctx, led, o)
	if err != nil {
		return item.Report{}, errors.Join(err, h.resumeUnit(ctx, enabled))
	}
	settings, ends := h.parted(led)
	lock.unlocked(settings, led)
	report, err := settings.Run(ctx, item.Desired{}, engine.Options{Reverse: true})
	if errors.Is(err, ErrOvertaken) {
		return report, err // how the unit goes on is the other run's to say
	}
	if err == nil && !serves(settings, led) && ownsUnitFile(led) {
		err = h.StopUnit(ctx)
	}
	if err != nil || serves(settings, led) {
		return report, errors.Join(err, h.resumeUnit(ctx, enabled))
	}
	rest, err := ends.Run(ctx, item.Desired{}, engine.Options{Reverse: true})
	report.Stages = append(report.Stages, rest.Stages...)
	return report, errors.Join(err, h.dropNoRestartLater(), h.reloadNoted(ctx))
}

// parted returns the engine for all but the unit, and the one for its files and the
// folders that they are in.
func (h *Host) parted(led *ledger.Ledger) (settings, ends *engine.Engine) {
	var files []string
	for _, w := range held(led) {
		files = append(files, w.Key.Path())
	}
	holds := func(k item.Key) bool {
		return slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, k.Path()+"/") })
	}
	settings, ends = h.engine(led), h.engine(led)
	ends.Stages = []engine.Stage{ends.Stages[0], h.unitStage()}
	ends.Stages[0].Owns = holds
	settings.Stages[0].Owns = func(k item.Key) bool { return !holds(k) }
	return settings, ends
}

// enabledMark is the line of the marker which says that boots started the unit before a
// `down` that has not ended.
const enabledMark = "boots started " + paths.Unit

// beginDown keeps everybody else out. It returns whether boots started the unit, because of
// us, before this `down` or before one that was broken off.
func (h *Host) beginDown(ctx context.Context, led *ledger.Ledger, o DownOptions) (enabled bool, err error) {
	ours := enablesUnit(led)
	if ours {
		if enabled, err = h.UnitEnabled(ctx); err != nil {
			return false, err
		}
	}
	enabled = enabled || ours && h.wasEnabled()
	text := o.mark()
	if enabled {
		text += enabledMark + "\n"
	}
	if err := h.machine.Files.Write(paths.Disabled, []byte(text), 0o600); err != nil {
		return enabled, fmt.Errorf("write the marker: %w", err)
	}
	if ours {
		err = h.DisableUnit(ctx)
	}
	if err != nil || !ownsUnitFile(led) {
		return enabled, err
	}
	return enabled, h.SuppressRestart(ctx)
}

// wasEnabled reports what the marker of a `down` says that has not ended.
func (h *Host) wasEnabled() bool {
	text, err := h.machine.Files.Read(paths.Disabled)
	return err == nil && strings.Contains(string(text), enabledMark)
}

// resumeUnit lets the unit go on as it was before a `down` that failed.
func (h *Host) resumeUnit(ctx context.Context, enabled bool) error {
	if !h.there(paths.UnitFile) && !h.there(paths.NoRestartDir) {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	err := h.AllowRestart(ctx)
	if enabled {
		err = errors.Join(err, h.EnableUnit(ctx))
	}
	return err
}

// dropNoRestartLater removes the drop-in, and notes that systemd has to be told.
func (h *Host) dropNoRestartLater() error {
	if !h.there(paths.NoRestartDir) {
		return nil
	}
	return errors.Join(h.noteReload(), h.dropNoRestart())
}

// serves reports whether a stage has anything recorded.
func serves(e *engine.Engine, led *ledger.Ledger) bool {
	for _, k := range led.Keys() {
		for i := range e.Stages {
			if e.Stages[i].Serves(k) {
				return true
			}
		}
	}
	return false
}
