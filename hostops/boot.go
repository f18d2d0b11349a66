package hostops

import (
	"context"
	"errors"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// Boot says whether the next boots prepare this host before its kubelet.
type Boot struct {
	// Systemd is the host's init. Without it there is no unit.
	Systemd bool
	// State is that of hostprofile.service, Running whether it runs now.
	State   machine.UnitState
	Running bool
	// Declined: the last Up was told to install no unit.
	Declined bool
}

// NoBootUnit is the reason where there is none.
const NoBootUnit item.Reason = "NoBootUnit"

// Boot looks at what the next boots will do. It writes nothing.
func (h *Host) Boot(ctx context.Context) (Boot, error) {
	b := Boot{Systemd: h.SystemdAvailable(ctx), State: machine.UnitAbsent}
	in, err := h.SavedInput()
	if in == nil {
		in = &Input{}
	}
	choice := in.Unit.with(h.options.Unit)
	b.Declined = !choice.installs()
	if !b.Systemd {
		return b, err
	}
	u, unitErr := h.machine.Units.Unit(ctx, paths.Unit)
	b.State, b.Running = u.State, u.Running
	return b, errors.Join(err, unitErr)
}

// Problem is why no boot prepares the host; nil if it does, or nobody wants it to.
func (b *Boot) Problem() *item.Error {
	const without = ": nothing prepares this host at boot before its kubelet"
	switch {
	case b.Declined:
		return nil
	case !b.Systemd:
		return &item.Error{Reason: NoBootUnit, Message: "systemd is not the init of this host" + without, Fix: "let its init run 'bootstrap up' at boot, as docs/install.md shows"}
	case b.State == machine.UnitMasked:
		return &item.Error{Reason: unit.Masked, Message: paths.Unit + " is masked, and left so" + without, Fix: "systemctl unmask " + paths.Unit + ", then bootstrap up"}
	case b.State != machine.UnitEnabled:
		return &item.Error{Reason: NoBootUnit, Message: paths.Unit + " is " + string(b.State) + without, Fix: "bootstrap up"}
	default:
		return nil
	}
}
