package hostops

import (
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// CauseInput: bootstrap was given something else, or the host was given back or taken into
// use again. Whoever keeps it looks at once, and not only at the next poll.
const CauseInput = "input"

// seenInput is when the saved input and the marker of a give-back were written last, in no
// other form than one that can be compared.
func seenInput(m *machine.Machine) string {
	var text string
	for _, path := range []string{paths.Input, paths.Disabled} {
		info, err := m.Files.Lstat(path)
		if err != nil {
			text += " -"
			continue
		}
		text += fmt.Sprintf(" %d:%d", info.ModTime().UnixNano(), info.Size())
	}
	return text
}

// inputChanged reports whether either was written since the last look.
func (w *Watcher) inputChanged() bool {
	was := w.input
	w.input = seenInput(w.machine)
	return was != w.input
}
