package hostops

import (
	"context"
	"errors"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// openOrAdopt opens the ledger. One that is lost or unreadable refuses the run, unless
// it is to be rebuilt from our boot files; in is nil if everything is to be given back.
func (h *Host) openOrAdopt(ctx context.Context, in *Input, adopt bool) (*ledger.Ledger, error) {
	led, err := h.openLocked()
	damaged := errors.Is(err, ledger.ErrLost) || errors.Is(err, ledger.ErrUnreadable)
	switch {
	case err == nil:
		return led, nil
	case !adopt || !damaged:
		return nil, refuse(err)
	}
	var want item.Desired
	if in != nil {
		if want, err = h.compile(in, nil); err != nil {
			return nil, err
		}
	}
	if err := h.makeDir(paths.StateDir); err != nil {
		return nil, err
	}
	led, err = ledger.Rebuild(h.machine.Files, h.ledgerOptions())
	if err != nil {
		return nil, err
	}
	if err := h.engine(led).Adopt(ctx, want); err != nil {
		return nil, err
	}
	if err := h.adoptUnit(led); err != nil {
		return nil, err
	}
	return led, h.adoptNodeIP(led)
}
