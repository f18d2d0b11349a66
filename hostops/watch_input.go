package hostops

import (
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// CauseInput: bootstrap was given something else, or the host was given back or taken into
// use again. Whoever keeps it looks at once, and not only at the next poll.
const CauseInput = "input"

// watchedInput are the files of others than the agent that say what is wished.
var watchedInput = []string{paths.Input, paths.Disabled}

// lastWritten is when files were written last, in no other form than one that can be
// compared.
func lastWritten(m *machine.Machine, files []string) string {
	var text string
	for _, path := range files {
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
	w.input = lastWritten(w.machine, watchedInput)
	return was != w.input
}
