package hostops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// SystemdAvailable reports whether systemd is the host's init, the only one that can run
// hostprofile.service. Elsewhere what is done to units is nothing, and no error.
func (h *Host) SystemdAvailable(context.Context) bool { return h.machine.Units.SystemdRuns() }

// InstallUnit writes and enables a hostprofile.service that runs a command line, and
// records it. Its first word is the absolute path of a program that root alone can
// replace. A unit that somebody masked is left so, and the error matches
// machine.ErrMasked. It does not start the unit.
func (h *Host) InstallUnit(ctx context.Context, argv []string) (err error) {
	text, err := unit.Service(argv)
	if err != nil {
		return fmt.Errorf("write %s: %w", paths.Unit, err)
	}
	if !h.SystemdAvailable(ctx) {
		return nil
	}
	lock, err := h.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.done()) }()
	led, err := h.openLocked()
	if err != nil {
		return refuse(err)
	}
	defer h.forgetUnit()
	if masked, err := h.lookForMask(ctx, led); masked || err != nil {
		return errors.Join(err, maskedUnit())
	}
	if err := h.makeDir(paths.StateDir); err != nil {
		return err
	}
	if err := led.Durable.Claim(); err != nil {
		return err
	}
	stage := h.unitStage()
	stage.Owns = func(k item.Key) bool { return k == unit.Key || k == file.Key(paths.UnitFile) }
	e := engine.Engine{Stages: []engine.Stage{stage}, Ledger: led}
	report, err := e.Run(ctx, item.Desired{Wants: []item.Want{
		{Key: file.Key(paths.UnitFile), State: unitText(text)}, {Key: unit.Key, State: unit.Enabled},
	}}, engine.Options{})
	return errors.Join(err, failure(&report), h.reloadChanged(ctx))
}

func maskedUnit() error {
	return &item.Error{Reason: unit.Masked, Message: paths.Unit + " is masked, and left so", Fix: "systemctl unmask " + paths.Unit, Err: machine.ErrMasked}
}

// failure is the first thing that a run did not reach, as an error.
func failure(r *item.Report) error {
	for _, s := range r.Stages {
		if s.Err != nil {
			return s.Err
		}
		for i := range s.Results {
			if res := &s.Results[i]; !res.OK() {
				return fmt.Errorf("%s: %w", res.Key, &item.Error{Reason: res.Reason, Message: res.Message, Fix: res.Fix})
			}
		}
	}
	return nil
}

// EnableUnit lets the next boots start the unit again, after DisableUnit. One that is
// missing is no error.
func (h *Host) EnableUnit(ctx context.Context) error {
	return h.order(ctx, h.machine.Units.EnableUnit)
}

// DisableUnit keeps the next boots from starting the unit. It neither stops it nor keeps
// systemd from starting it again, which SuppressRestart does. One that is missing is no
// error.
func (h *Host) DisableUnit(ctx context.Context) error {
	return h.order(ctx, h.machine.Units.DisableUnit)
}

// StopUnit stops the unit and waits until its process has ended. One that is missing, or
// does not run, is no error.
func (h *Host) StopUnit(ctx context.Context) error {
	return h.order(ctx, h.machine.Units.StopUnit)
}

// RestartUnit lets systemd start the unit anew. It does not wait until the unit is ready,
// which it may never be.
func (h *Host) RestartUnit(ctx context.Context) error {
	return h.order(ctx, h.machine.Units.RestartUnit)
}

// ReloadSystemd lets systemd read all unit files again.
func (h *Host) ReloadSystemd(ctx context.Context) error {
	return h.order(ctx, func(ctx context.Context, _ string) error { return h.machine.Units.ReloadUnits(ctx) })
}

// order tells systemd to do something with the unit. Where it is not the init, or has no
// such unit, there is nothing to do; where it is and does not answer, that is an error.
func (h *Host) order(ctx context.Context, do func(context.Context, string) error) error {
	if !h.SystemdAvailable(ctx) {
		return nil
	}
	err := do(ctx, paths.Unit)
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, machine.ErrNoSystemd) {
		return nil
	}
	return err
}
