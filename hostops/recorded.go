package hostops

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
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
	files, err := h.filesOfOurs()
	return append(recordedKeys(ours), files...), err
}

// Unclean is Remains of a host that is said to have nothing of ours: it needs no record,
// and one that is lost or unreadable is no error.
func (h *Host) Unclean() ([]string, error) {
	ours, err := h.Recorded()
	if refused := (*RefusedError)(nil); err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	files, err := h.filesOfOurs()
	return append(recordedKeys(ours), files...), err
}

func recordedKeys(ours map[item.Key]item.State) []string {
	var out []string
	for k := range ours {
		out = append(out, string(k))
	}
	return out
}

// filesOfOurs looks through the footprint for what is ours whatever is recorded: by its
// name, or because it says so.
func (h *Host) filesOfOurs() ([]string, error) {
	var out []string
	for _, f := range ownFiles {
		if f.fate == stays {
			continue
		}
		_, err := h.machine.Files.Lstat(f.path)
		switch {
		case err == nil:
			out = append(out, f.path)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("look for what remains: %w", err)
		}
	}
	for _, path := range Footprint() {
		if h.saysOurs(path) {
			out = append(out, path)
		}
	}
	return out, nil
}

// saysOurs reports whether a file says that we wrote it, or a link that it enables our unit.
func (h *Host) saysOurs(path string) bool {
	if path == paths.UnitLink {
		target, err := h.machine.Files.Readlink(path)
		return err == nil && target == paths.UnitFile
	}
	if info, err := h.machine.Files.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxOurs {
		return false
	}
	text, err := h.machine.Files.Read(path)
	return err == nil && (unit.IsOurs(text) || nodeip.IsOurs(text))
}

// maxOurs is more than any text that we write, in bytes; programs are longer.
const maxOurs = 1 << 16
