package hostops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Status is what holds on a host, and what is ours on it.
type Status struct {
	// Managed: there is a saved input or a record.
	Managed bool
	// Disabled: `down` was run, and nothing is repaired until the next `up`.
	Disabled bool
	// Prepared: the host was made ready to become an image, and no boot has applied that here.
	Prepared bool
	// Profiles are the names in the saved input, in their order.
	Profiles []string
	// Report is what a run would do now. An item that does not hold is one that would
	// change or cannot be seen.
	Report item.Report
	// NodeIP is the address of the node; nil if none is kept or asked for.
	NodeIP *NodeIPReport
	// Boot says whether the next boots prepare the host.
	Boot Boot
	// Keeper is who repairs this host now, and Note what they call themselves.
	Keeper Keeper
	Note   string
	// Owned are the recorded keys, files and folders included.
	Owned []item.Key
}

// Status says what is recorded and what holds. It writes nothing and takes no lock.
func (h *Host) Status(ctx context.Context) (Status, error) {
	var s Status
	led, err := h.openLedger()
	if err != nil {
		return s, refuse(err)
	}
	in, err := h.SavedInput()
	if err != nil {
		return s, err
	}
	s.Owned = append(led.Durable.Keys(), led.Volatile.Keys()...)
	s.Disabled = h.Disabled()
	if s.Keeper, s.Note, err = h.Kept(); err != nil {
		return s, err
	}
	accepted, err := h.Accepted()
	if err != nil {
		return s, err
	}
	s.Managed = in != nil || len(accepted) > 0 || len(s.Owned) > 0
	if in == nil && len(accepted) == 0 {
		return s, nil
	}
	if in == nil {
		in = &Input{}
	}
	s.Prepared = h.prepared(led)
	for _, p := range in.Profiles {
		s.Profiles = append(s.Profiles, p.Name)
	}
	want, err := h.wishes(in, led)
	if err != nil {
		return s, err
	}
	if s.NodeIP, err = h.settleNodeIP(ctx, &want, led); err != nil {
		return s, err
	}
	want.Wants = append(want.Wants, h.installed(led)...)
	h.addFolders(&want, led)
	if s.Boot, err = h.Boot(ctx); err != nil {
		return s, err
	}
	s.Report, err = h.engineOfBoot(led).Run(ctx, want, engine.Options{DryRun: true})
	return s, err
}

// enabled is ErrDisabled if the host was given back. A give-back that only the agent began
// is over once it is called off, and the unit goes on as it was before, if it is ours still.
func (h *Host) enabled(ctx context.Context, calledOff bool) error {
	if !h.Disabled() {
		return nil
	}
	if text, err := h.machine.Files.Read(paths.Disabled); !calledOff || err != nil || !strings.HasPrefix(string(text), markOfAgent) {
		return ErrDisabled
	}
	if err := h.resumeUnit(ctx, h.wasEnabled() && h.saysOurs(paths.UnitFile)); err != nil {
		return fmt.Errorf("call off what the agent began: %w", err)
	}
	return h.remove(paths.Disabled)
}

// Disabled reports whether the marker of an earlier Down is there: nothing is to be written
// to this host before the next Up.
func (h *Host) Disabled() bool {
	_, err := h.machine.Files.Lstat(paths.Disabled)
	return !errors.Is(err, fs.ErrNotExist)
}
