package hostops

import (
	"context"
	"path"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// parents wishes for the folders above what is wished: those of every boot file that has,
// or had, something to hold, since hosts with a stateless /etc have none, and those of
// every directory. A folder is ours only if we have to make it.
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
	return unwished(want.Wants, append(out, h.above(want, led)...))
}

// above wishes for the folders of directories that are missing, or that are there because
// of us.
func (h *Host) above(want item.Desired, led *ledger.Ledger) []item.Want {
	var out []item.Want
	op := dir.New(h.machine)
	for _, w := range want.Wants {
		if w.Key.Kind() != item.Dir {
			continue
		}
		for at := path.Dir(w.Key.Path()); at != "/"; at = path.Dir(at) {
			k := dir.Key(at)
			if s, err := op.Observe(context.Background(), k); recorded(led, k) || err == nil && s == item.Absent {
				out = append(out, dir.Parent(at))
			}
		}
	}
	return out
}

// unwished returns the wishes of more for which there is none yet, each once.
func unwished(wants, more []item.Want) []item.Want {
	seen := map[item.Key]bool{}
	for _, w := range wants {
		seen[w.Key] = true
	}
	return slices.DeleteFunc(more, func(w item.Want) bool {
		known := seen[w.Key]
		seen[w.Key] = true
		return known
	})
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
