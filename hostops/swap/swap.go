package swap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// All is the wish for no swap at all: a pattern that stands for every area.
const All item.Key = "swap/*"

// Operation serves the swap areas of one host in one boot.
type Operation struct {
	m    *machine.Machine
	boot string
}

// New returns the operation for a host whose present boot has the given id.
func New(m *machine.Machine, bootID string) *Operation { return &Operation{m: m, boot: bootID} }

// Key returns the item of a device or file, by its path. Backslashes, and what is no UTF-8,
// stand in it as octal escapes: a record is text.
func Key(path string) item.Key { return item.NewKey(item.Swap, escape(path)) }

// pathOf is the path in a key.
func pathOf(k item.Key) string { return unescape(k.Path()) }

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Swap }

// Traits implements item.Operation. What is in use ends with the boot.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Volatile, Epoch: o.boot, Slow: true}
}

// Expand implements item.Expander: All stands for every area in use.
func (o *Operation) Expand(_ context.Context, wants []item.Want) (single, patterns []item.Want, err error) {
	for _, w := range wants {
		if w.Key == All {
			patterns = append(patterns, w)
		} else {
			single = append(single, w)
		}
	}
	if len(patterns) == 0 {
		return single, nil, nil
	}
	areas, err := o.areas()
	if err != nil {
		return nil, nil, err
	}
	for _, a := range areas {
		w := patterns[len(patterns)-1]
		w.Key, w.Volatile = Key(a.path), true
		if !slices.ContainsFunc(single, func(s item.Want) bool { return s.Key == w.Key }) {
			single = append(single, w)
		}
	}
	return single, patterns, nil
}

// Covers implements item.Coverer: All also stands for an area that is out of use, so
// that one which we took out is not taken into use again.
func (o *Operation) Covers(pattern, k item.Key) bool { return pattern == All && k.Kind() == item.Swap }

// Observe implements item.Operation. An area out of use is Absent; one in use reads as
// "prio=10 type=partition", or "prio=auto" if the kernel chose the priority, which it
// does anew each time.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	a, err := o.find(pathOf(k))
	switch {
	case err != nil:
		return item.Unknown, err
	case a == nil:
		return item.Absent, nil
	default:
		return a.state(), nil
	}
}

func (a *area) state() item.State {
	if a.priority < 0 {
		return item.Text("prio=auto type=" + a.kind)
	}
	return item.Text(fmt.Sprintf("prio=%d type=%s", a.priority, a.kind))
}

// areas reads what is in use. A kernel without swap has no /proc/swaps and no areas.
func (o *Operation) areas() ([]area, error) {
	content, err := o.m.Proc.ReadProc(paths.Swaps)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", paths.Swaps, err)
	}
	return parseSwaps(string(content))
}

// find returns the area of a path, nil if it is not in use.
func (o *Operation) find(path string) (*area, error) {
	areas, err := o.areas()
	if err != nil {
		return nil, err
	}
	for i := range areas {
		if areas[i].path == path {
			return &areas[i], nil
		}
	}
	return nil, nil
}

// Apply implements item.Operation. Taking an area out of use waits until the kernel
// has moved its pages into memory, bounded by ctx: the caller must hold no lock.
func (o *Operation) Apply(ctx context.Context, k item.Key, _, to item.State) error {
	if to == item.Absent {
		return o.off(ctx, pathOf(k))
	}
	return o.on(ctx, pathOf(k), to)
}
