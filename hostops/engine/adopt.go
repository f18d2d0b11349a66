package engine

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Adopt records what our boot files name and what is still wanted of it, into an empty
// ledger. What was there before us is unknown.
func (e *Engine) Adopt(ctx context.Context, want item.Desired) error {
	entries := map[item.Key]*item.Entry{}
	for i := range e.Stages {
		s := &e.Stages[i]
		if s.Boot == nil {
			continue
		}
		k := s.Boot.Key()
		content, err := s.operation(k).Observe(ctx, k)
		if err != nil {
			return err
		}
		if !content.Present() {
			continue
		}
		entries[k] = adopted(item.Absent, digest(content))
		lines := s.Boot.Lines(content)
		for _, w := range want.Wants {
			if line, ok := lines[w.Key]; ok {
				entries[w.Key] = adopted(item.Unknown, line)
			}
		}
	}
	return e.Ledger.Durable.Update(entries)
}

func adopted(before, ours item.State) *item.Entry {
	return &item.Entry{Before: before, Ours: []item.State{ours}, Target: ours, Settled: ours, Phase: item.Pending}
}
