package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// wishes returns the wishes of this stage, one an item: patterns are resolved to the
// items that they stand for now, and what must hold first is added.
func (r *run) wishes(ctx context.Context, want item.Desired) ([]item.Want, error) {
	var all []item.Want
	for _, op := range r.stage.Operations {
		var wants []item.Want
		for _, w := range want.Wants {
			if r.stage.operation(w.Key) == op {
				wants = append(wants, w)
			}
		}
		wants, err := r.expand(ctx, op, wants)
		if err == nil {
			wants, err = r.prepare(ctx, op, wants)
		}
		if err != nil {
			return nil, fmt.Errorf("work out the wishes of stage %s: %w", r.stage.Name, err)
		}
		all = joined(all, wants)
	}
	return slices.DeleteFunc(all, func(w item.Want) bool { return w.Unmanaged }), nil
}

// expand resolves the patterns of one operation. A recorded item that a pattern covers
// although nothing shows it has the pattern's wish too.
func (r *run) expand(ctx context.Context, op item.Operation, wants []item.Want) ([]item.Want, error) {
	x, ok := op.(item.Expander)
	if !ok {
		return wants, nil
	}
	single, patterns, err := x.Expand(ctx, wants)
	if err != nil {
		return nil, err
	}
	for _, p := range patterns {
		if !p.Unmanaged {
			r.patterns = append(r.patterns, p)
		}
	}
	coverer, ok := op.(item.Coverer)
	if !ok || len(patterns) == 0 {
		return single, nil
	}
	owned := r.owned(op)
	if len(owned) == 0 {
		return single, nil
	}
	named := make(map[item.Key]bool, len(single))
	for _, w := range single {
		named[w.Key] = true
	}
	for _, k := range owned {
		for _, p := range patterns {
			if !named[k] && coverer.Covers(p.Key, k) {
				p.Key, p.Volatile, named[k] = k, true, true
				single = append(single, p)
			}
		}
	}
	return single, nil
}

// prepare adds what must hold before the wishes of one operation may be applied.
func (r *run) prepare(ctx context.Context, op item.Operation, wants []item.Want) ([]item.Want, error) {
	p, ok := op.(item.Preparer)
	if !ok {
		return wants, nil
	}
	pre, err := p.Prerequisites(ctx, wants, r.owned(op))
	if err != nil {
		return nil, err
	}
	r.blocked = pre.Blocked
	return append(wants, pre.Wants...), nil
}

// owned returns the recorded keys that an operation serves in this stage.
func (r *run) owned(op item.Operation) []item.Key {
	var keys []item.Key
	for _, k := range r.engine.Ledger.KeysOf(op.Kind()) {
		if r.stage.operation(k) == op && !r.isBoot(k) {
			keys = append(keys, k)
		}
	}
	return keys
}
