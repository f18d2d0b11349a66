package hostops

import (
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// sweep removes the temporary files that killed runs left beside our own state and the
// boot files: with the lock nobody writes them now. What cannot be removed, as on a
// read-only /etc, is left to a later run.
func (h *Host) sweep() {
	for _, f := range ownFiles {
		_, _ = h.machine.Files.Sweep(f.path)
	}
}

// openLocked opens the record for a run that has the lock, and sweeps beside every file
// that it names: each is recorded before it is written.
func (h *Host) openLocked() (*ledger.Ledger, error) {
	led, err := h.openLedger()
	if err != nil {
		return nil, err
	}
	for _, k := range led.Keys() {
		for _, path := range filesOf(k) {
			_, _ = h.machine.Files.Sweep(path)
		}
	}
	return led, nil
}

// filesOf are the files that are written for an item.
func filesOf(k item.Key) []string {
	if k.Kind() == item.File || k.Kind() == item.Program {
		return []string{k.Path()}
	}
	return firewalld.FilesOf(k)
}
