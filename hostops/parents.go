package hostops

import (
	"path"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// parents wishes for the folder of every boot file that has, or had, something to hold:
// hosts with a stateless /etc have none. It is ours only if we have to make it.
func (h *Host) parents(want item.Desired, led *ledger.Ledger) []item.Want {
	var out []item.Want
	stages := h.stages()
	for i := range stages {
		s := &stages[i]
		if s.Boot == nil || !fills(s, want) && !recorded(led, s.Boot.Key()) {
			continue
		}
		out = append(out, dir.Parent(path.Dir(s.Boot.Key().Path())))
	}
	return out
}

// fills reports whether something is wished that the stage's boot file may list.
func fills(s *engine.Stage, want item.Desired) bool {
	for _, w := range want.Wants {
		if !w.Volatile && !w.Unmanaged && s.Serves(w.Key) {
			return true
		}
	}
	return false
}

func recorded(led *ledger.Ledger, k item.Key) bool {
	return led != nil && led.Durable.Entry(k) != nil
}
