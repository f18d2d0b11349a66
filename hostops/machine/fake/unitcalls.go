package fake

import (
	"context"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// SystemdRuns implements machine.Units.
func (p *Process) SystemdRuns() bool {
	err := p.enter()
	defer p.host.mu.Unlock()
	return err == nil && p.host.units.runs
}

// askSystemd begins a call that systemd answers.
func (p *Process) askSystemd(ctx context.Context) error {
	switch err := p.enter(); {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case !p.host.units.runs:
		return machine.ErrNoSystemd
	}
	return p.host.units.fault
}

// Unit implements machine.Units.
func (p *Process) Unit(ctx context.Context, name string) (machine.Unit, error) {
	err := p.askSystemd(ctx)
	h := p.host
	defer h.mu.Unlock()
	if err != nil {
		return machine.Unit{}, wrong("look at", name, err)
	}
	u := machine.Unit{State: h.unitState(name), MainPID: h.units.running[name], Active: "inactive"}
	if u.Running = u.MainPID != 0; u.Running {
		u.Active = "active"
	}
	text, loaded := h.units.loaded[name]
	u.NeedsReload = loaded && text != h.unitText(name)
	return u, nil
}

// EnableUnit implements machine.Units.
func (p *Process) EnableUnit(ctx context.Context, name string) error {
	return p.order(ctx, "enable", name, func(h *Host) (func(), error) {
		switch h.unitState(name) {
		case machine.UnitAbsent:
			return nil, fs.ErrNotExist
		case machine.UnitMasked:
			return nil, machine.ErrMasked
		case machine.UnitDisabled:
		default:
			return nil, nil
		}
		if err := h.faults.change(wantsDir, true); err != nil {
			return nil, err
		}
		return func() {
			where, _ := h.unitFile(name)
			link := newFile(name, where, 0o777, h.now)
			link.mode |= fs.ModeSymlink
			h.files.set(true, func(root *node) *node { return root.mkdirs(wantsDir, link) })
		}, nil
	})
}

// DisableUnit implements machine.Units.
func (p *Process) DisableUnit(ctx context.Context, name string) error {
	return p.order(ctx, "disable", name, func(h *Host) (func(), error) {
		if n, _ := h.files.root.lresolve(wantsDir + "/" + name); n == nil {
			return nil, nil
		}
		if err := h.faults.change(wantsDir, false); err != nil {
			return nil, err
		}
		return func() {
			h.dropFile(wantsDir + "/" + name)
			if n, err := h.files.root.resolve(wantsDir); err == nil && len(n.kids) == 0 {
				h.dropFile(wantsDir)
			}
		}, nil
	})
}

// StartUnit implements machine.Units.
func (p *Process) StartUnit(ctx context.Context, name string) error {
	return p.order(ctx, "start", name, func(h *Host) (func(), error) {
		if h.units.running[name] != 0 {
			return nil, nil
		}
		return func() { h.startUnit(name) }, h.startable(name)
	})
}

// RestartUnit implements machine.Units.
func (p *Process) RestartUnit(ctx context.Context, name string) error {
	return p.order(ctx, "restart", name, func(h *Host) (func(), error) {
		return func() { h.startUnit(name) }, h.startable(name)
	})
}

// startable returns why a unit cannot be started.
func (h *Host) startable(name string) error {
	switch h.unitState(name) {
	case machine.UnitAbsent:
		return fs.ErrNotExist
	case machine.UnitMasked:
		return machine.ErrMasked
	}
	return nil
}

// StopUnit implements machine.Units.
func (p *Process) StopUnit(ctx context.Context, name string) error {
	return p.order(ctx, "stop", name, func(h *Host) (func(), error) {
		if h.units.running[name] == 0 {
			return nil, nil
		}
		return func() { delete(h.units.running, name) }, nil
	})
}

// ReloadUnits implements machine.Units.
func (p *Process) ReloadUnits(ctx context.Context) error {
	return p.order(ctx, "reload", "systemd", func(h *Host) (func(), error) {
		return func() {
			for name := range h.units.loaded {
				h.units.loaded[name] = h.unitText(name)
			}
		}, nil
	})
}

// order runs what systemd is told to do. Prepare returns nothing where nothing is to do.
func (p *Process) order(ctx context.Context, op, name string, prepare func(*Host) (func(), error)) error {
	err := p.askSystemd(ctx)
	h := p.host
	defer h.mu.Unlock()
	if err != nil {
		return wrong(op, name, err)
	}
	do, err := prepare(h)
	if do == nil || err != nil {
		return wrong(op, name, err)
	}
	if err := h.before(p.id, op, name, ""); err != nil {
		return err
	}
	do()
	return h.after(p.id, nil)
}
