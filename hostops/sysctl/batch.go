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
	plain, paths := make([]plainKey, 0, len(keys)), make([]string, 0, len(keys))
	for i, k := range keys {
		if n, err := NameOf(k); err == nil && isPlain(n) {
			plain, paths = append(plain, plainKey{n, i}), append(paths, n.Path())
			continue
		}
		out[i].State, out[i].Err = o.Observe(ctx, k)
	}
	for j, t := range o.m.Proc.ReadSysctls(paths) {
		n, i := plain[j].name, plain[j].at
		out[i].State, out[i].Err = o.observed(n, Value(n, t.Text), t.Err)
	}
	return out
}

// ApplyAll implements item.Batcher.
func (o *Operation) ApplyAll(ctx context.Context, steps []item.Step) []error {
	out := make([]error, len(steps))
	plain, writes := make([]plainKey, 0, len(steps)), make([]machine.SysctlWrite, 0, len(steps))
	for i, s := range steps {
		if n, err := NameOf(s.Key); err == nil && isPlain(n) && s.To.Present() {
			plain, writes = append(plain, plainKey{n, i}), append(writes, machine.SysctlWrite{Path: n.Path(), Text: s.To.Text()})
			continue
		}
		out[i] = o.Apply(ctx, s.Key, s.From, s.To)
	}
	for j, err := range o.m.Proc.WriteSysctls(writes) {
		out[plain[j].at] = o.written(plain[j].name, writes[j].Text, err)
	}
	return out
}

// plainKey is a plain one among many keys.
type plainKey struct {
	name Name
	at   int // where it is among them
}

// isPlain reports whether reading a key is one read and setting it one write, with nothing
// else to look at: neither a pair's, nor one of those whose write is a write to others.
func isPlain(n Name) bool {
	_, paired := pairOf(n)
	return !paired && rules[n] == nil && n.attribute() != "forwarding"
}
