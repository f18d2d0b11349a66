package sysctl

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// TraitsAll implements item.Batcher. Each interface is looked up once.
func (o *Operation) TraitsAll(keys []item.Key) []item.Traits {
	epochs := map[string]string{}
	epochOf := func(link string) string {
		epoch, ok := epochs[link]
		if !ok {
			epoch = o.epochOf(link)
			epochs[link] = epoch
		}
		return epoch
	}
	out := make([]item.Traits, len(keys))
	for i, k := range keys {
		out[i] = o.traits(k, epochOf)
	}
	return out
}

// ObserveAll implements item.Batcher.
func (o *Operation) ObserveAll(ctx context.Context, keys []item.Key) []item.Observation {
	out := make([]item.Observation, len(keys))
	b := batch{names: make([]Name, 0, len(keys)), at: make([]int, 0, len(keys))}
	paths := make([]string, 0, len(keys))
	for i, k := range keys {
		if n, err := NameOf(k); err == nil && isPlain(n) {
			b.add(n, i)
			paths = append(paths, n.Path())
			continue
		}
		out[i].State, out[i].Err = o.Observe(ctx, k)
	}
	for j, t := range o.m.Proc.ReadSysctls(paths) {
		out[b.at[j]].State, out[b.at[j]].Err = o.observed(b.names[j], Value(b.names[j], t.Text), t.Err)
	}
	return out
}

// ApplyAll implements item.Batcher.
func (o *Operation) ApplyAll(ctx context.Context, steps []item.Step) []error {
	out := make([]error, len(steps))
	b := batch{names: make([]Name, 0, len(steps)), at: make([]int, 0, len(steps))}
	writes := make([]machine.SysctlWrite, 0, len(steps))
	for i, s := range steps {
		if n, err := NameOf(s.Key); err == nil && isPlain(n) && s.To.Present() {
			b.add(n, i)
			writes = append(writes, machine.SysctlWrite{Path: n.Path(), Text: s.To.Text()})
			continue
		}
		out[i] = o.Apply(ctx, s.Key, s.From, s.To)
	}
	for j, err := range o.m.Proc.WriteSysctls(writes) {
		out[b.at[j]] = o.written(b.names[j], writes[j].Text, err)
	}
	return out
}

// batch are the plain keys among many, and where each was among them.
type batch struct {
	names []Name
	at    []int
}

func (b *batch) add(n Name, at int) {
	b.names, b.at = append(b.names, n), append(b.at, at)
}

// isPlain reports whether reading a key is one read and setting it one write, with nothing
// else to look at: neither a pair's, nor one of those whose write is a write to others.
func isPlain(n Name) bool {
	_, paired := pairOf(n)
	return !paired && rules[n] == nil && n.attribute() != "forwarding"
}
