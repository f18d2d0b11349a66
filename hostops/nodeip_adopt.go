package hostops

import (
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// adoptNodeIP records the address that is kept, and the files that publish it, in a new
// ledger. The files say themselves that they are ours; what was there before them is not
// known, and most likely nothing was.
func (h *Host) adoptNodeIP(led *ledger.Ledger) error {
	entries := map[item.Key]*item.Entry{}
	adopt := func(k item.Key, ours item.State, epoch string) {
		entries[k] = &item.Entry{
			Before: item.Absent, Ours: []item.State{ours}, Target: ours, Settled: ours, Phase: item.Pending, Epoch: epoch,
		}
	}
	if saved := h.savedNodeIP(nil); saved.state != nil {
		adopt(nodeip.Key, item.Text(saved.state.IP), h.facts.MachineID)
	}
	for _, p := range nodeip.Publishes() {
		f, _ := nodeip.FileOf(p)
		text, err := h.machine.Files.Read(f.Path)
		if err == nil && nodeip.IsOurs(text) {
			adopt(file.Key(f.Path), item.FileState(publishMode, text), "")
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return led.Durable.Update(entries)
}
