package hostops

import (
	"context"
	"errors"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// startUnit lets systemd start the unit if boots do, and start it anew if its file or its
// program has changed in a run, after which systemd said this of it. The run lock must be
// free: the unit's process waits for it.
func (h *Host) startUnit(ctx context.Context, r *item.Report, u machine.Unit) error {
	if h.offline() || !h.SystemdAvailable(ctx) || !mentions(r, unit.Key) {
		return nil
	}
	switch {
	case u.State != machine.UnitEnabled:
		return nil
	case !u.Running:
		return h.machine.Units.StartUnit(ctx, paths.Unit)
	case renewed(r):
		return h.RestartUnit(ctx)
	default:
		return nil
	}
}

func mentions(r *item.Report, k item.Key) bool {
	for res := range r.All() {
		if res.Key == k {
			return true
		}
	}
	return false
}

// renewed reports whether the unit that runs is not the one on disk any more.
func renewed(r *item.Report) bool {
	for res := range r.All() {
		if res.Outcome == item.Changed && (res.Key.Kind() == item.Program || res.Key == file.Key(paths.UnitFile)) {
			return true
		}
	}
	return false
}

// retireUnit ends a unit of ours that is not wished any more, before its file goes: first
// the gates are taken away that it would open, then boots do not start it any more, and at
// last it is stopped. What a `down` that was broken off left goes too.
func (h *Host) retireUnit(ctx context.Context, want item.Desired, led *ledger.Ledger) (gates item.Report, err error) {
	if h.there(paths.NoRestart) {
		if err := h.AllowRestart(ctx); err != nil {
			return gates, err
		}
	}
	wished := slices.ContainsFunc(want.Wants, func(w item.Want) bool { return w.Key == unit.Key })
	if wished || !ownsUnitFile(led) {
		return gates, nil
	}
	stage := h.unitStage()
	stage.Owns = isGate
	e := engine.Engine{Stages: []engine.Stage{stage}, Ledger: led}
	if gates, err = e.Run(ctx, item.Desired{}, engine.Options{}); err != nil {
		return gates, err
	}
	err = h.reloadNoted(ctx)
	if enablesUnit(led) {
		err = errors.Join(err, h.DisableUnit(ctx))
	}
	return gates, errors.Join(err, h.StopUnit(ctx))
}

// ownsUnitFile reports whether the unit is ours.
func ownsUnitFile(led *ledger.Ledger) bool { return recorded(led, file.Key(paths.UnitFile)) }

// enablesUnit reports whether boots start the unit because of us. A unit of its name that they
// started before is somebody's: it stays enabled while its file is ours, and goes on as it
// was once that is given back.
func enablesUnit(led *ledger.Ledger) bool { return recorded(led, unit.Key) }

// adoptUnit records the unit's files in a new ledger. They say themselves that they are
// ours. A program does not, and stays when the host is given back.
func (h *Host) adoptUnit(led *ledger.Ledger) error {
	entries := map[item.Key]*item.Entry{}
	for _, path := range unitFilePaths() {
		info, err := h.machine.Files.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := h.machine.Files.Read(path)
		if err == nil && unit.IsOurs(text) {
			ours := item.FileState(info.Mode(), text)
			entries[file.Key(path)] = &item.Entry{Before: item.Absent, Ours: []item.State{ours}, Target: ours, Settled: ours, Phase: item.Pending}
		}
	}
	if entries[file.Key(paths.UnitFile)] != nil {
		entries[unit.Key] = &item.Entry{Before: item.Absent, Ours: []item.State{unit.Enabled}, Target: unit.Enabled, Settled: unit.Enabled, Phase: item.Pending}
	}
	if len(entries) == 0 {
		return nil
	}
	return led.Durable.Update(entries)
}
