package hostops

import (
	"path"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// sweep removes the temporary files that killed runs left beside our own state and the
// boot files: with the lock nobody writes them now. What cannot be removed, as on a
// read-only /etc, is left to a later run.
func (h *Host) sweep() {
	files := make([]string, len(ownFiles))
	for i := range ownFiles {
		files[i] = ownFiles[i].path
	}
	h.sweepBeside(files)
}

// sweepBeside sweeps beside the files that have something to be swept. Many of them share
// a folder, and each folder is listed once.
func (h *Host) sweepBeside(files []string) {
	listed := map[string][]string{}
	for _, file := range files {
		dir, base := path.Dir(file), path.Base(file)
		names, known := listed[dir]
		if !known {
			names, _ = h.machine.Files.ReadDir(dir)
			listed[dir] = names
		}
		if slices.ContainsFunc(names, func(name string) bool { return atomicfile.IsTemp(base, name) }) {
			_, _ = h.machine.Files.Sweep(file)
		}
	}
}

// openLocked opens the record for a run that has the lock, and sweeps beside every file
// that it names: each is recorded before it is written.
func (h *Host) openLocked() (*ledger.Ledger, error) {
	led, err := h.openLedger()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, k := range led.Keys() {
		files = append(files, filesOf(k)...)
	}
	h.sweepBeside(files)
	return led, nil
}

// filesOf are the files that are written for an item.
func filesOf(k item.Key) []string {
	if k.Kind() == item.File || k.Kind() == item.Program {
		return []string{k.Path()}
	}
	return firewalld.FilesOf(k)
}
