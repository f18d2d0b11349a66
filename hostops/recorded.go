package hostops

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Recorded returns the state that each recorded item has because of us. Boot files are
// recorded by digest. It writes nothing.
func (h *Host) Recorded() (map[item.Key]item.State, error) {
	led, err := h.openLedger()
	if err != nil {
		return nil, refuse(err)
	}
	ours := map[item.Key]item.State{}
	for _, k := range append(led.Durable.Keys(), led.Volatile.Keys()...) {
		if e, _ := led.Entry(k); e != nil {
			ours[k] = e.Settled
		}
	}
	return ours, nil
}

// Remains lists what is on the host of ours, to be looked at after Down: recorded items
// and files. The marker that keeps the agent and the unit out is meant to stay.
func (h *Host) Remains() ([]string, error) {
	ours, err := h.Recorded()
	if err != nil {
		return nil, err
	}
	var out []string
	for k := range ours {
		out = append(out, string(k))
	}
	for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad, paths.Ledger, paths.Input, paths.Accepted, paths.RunLedger, paths.NodeIP, paths.Gate} {
		_, err := h.machine.Files.Lstat(path)
		switch {
		case err == nil:
			out = append(out, path)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("look for what remains: %w", err)
		}
	}
	return out, nil
}
