package hostops

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// noteReload notes that systemd has to read its files again.
func (h *Host) noteReload() error {
	if h.offline() || !h.machine.Units.SystemdRuns() {
		return nil
	}
	if err := h.makeDir(paths.RunDir); err != nil {
		return err
	}
	if err := h.machine.Files.WriteVolatile(paths.ReloadUnits, []byte("1\n"), 0o600); err != nil {
		return fmt.Errorf("note that systemd has to read its units again: %w", err)
	}
	return nil
}

// reloadNoted lets systemd read its files again if that is noted. The note stays if it
// cannot.
func (h *Host) reloadNoted(ctx context.Context) error {
	if !h.there(paths.ReloadUnits) {
		return nil
	}
	if err := h.ReloadSystemd(ctx); err != nil {
		return err
	}
	return h.remove(paths.ReloadUnits)
}

// noteChanged notes it if systemd has another unit of ours than is on disk. It returns what
// systemd says of the unit, or said when the run looked last, and nothing if there is none.
// A file that the run has changed is noted already.
func (h *Host) noteChanged(ctx context.Context) (u machine.Unit, err error) {
	switch {
	case !h.machine.Units.SystemdRuns() || !h.there(paths.UnitFile):
	case h.unitSeen != nil:
		u = *h.unitSeen
	default:
		u, err = h.machine.Units.Unit(ctx, paths.Unit)
	}
	if err == nil && u.NeedsReload {
		err = h.noteReload()
	}
	return u, err
}

// reload lets systemd read its files again if that is noted, or if it has another unit of
// ours than is on disk.
type reload struct {
	host  *Host
	begun bool
	unit  machine.Unit // as systemd said of it before
	err   error
	asked chan error // the answer; nil if there is nothing to ask for
}

// reloadChanged is a whole reload.
func (h *Host) reloadChanged(ctx context.Context) error {
	r := reload{host: h}
	_, err := r.end(ctx)
	return err
}

// reloadBeside makes a run begin a reload once the unit's stage is over, beside the stages
// after it: systemd takes a tenth of a second, and firewalld as long for its part. The
// caller ends it.
func (h *Host) reloadBeside(ctx context.Context, e *engine.Engine) *reload {
	r := &reload{host: h}
	stageOf(e, unitStageName).Over = func() { r.begin(ctx) }
	return r
}

func (r *reload) begin(ctx context.Context) {
	r.begun = true
	r.unit, r.err = r.host.noteChanged(ctx)
	if r.err == nil && r.host.there(paths.ReloadUnits) {
		r.asked = make(chan error, 1)
		go func() { r.asked <- r.host.ReloadSystemd(ctx) }()
	}
}

// end waits for the reload, which it begins if the run did not come so far, and returns
// what systemd said of the unit before it. What is noted stays so if it failed.
func (r *reload) end(ctx context.Context) (machine.Unit, error) {
	if !r.begun {
		r.begin(ctx)
	}
	if r.asked == nil {
		return r.unit, r.err
	}
	if err := <-r.asked; err != nil {
		return r.unit, err
	}
	return r.unit, r.host.remove(paths.ReloadUnits)
}
