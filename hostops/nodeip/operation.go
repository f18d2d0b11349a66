package nodeip

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Operation keeps the address of one host.
type Operation struct {
	m       *machine.Machine
	machine string // machine-id
	source  Source // of what is to be saved
	problem *Problem
}

// NewOperation returns the operation for a host with a machine-id, and what was decided
// about its address; nil where nothing is to be decided.
func NewOperation(m *machine.Machine, machineID string, d *Decision) *Operation {
	o := &Operation{m: m, machine: machineID}
	if d != nil {
		o.source, o.problem = d.Source, d.Problem
	}
	return o
}

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.NodeIP }

// Traits implements item.Operation: it comes before the files that publish it, and what
// another machine recorded is not about this one.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Epoch: o.machine, Rank: -1}
}

// Observe implements item.Operation. The state is "v4" or "v4,v6". A damaged file is as good as
// none: nothing of it can be lost, and the record may know what it said.
func (o *Operation) Observe(context.Context, item.Key) (item.State, error) {
	s, err := ReadState(o.m.Files)
	switch {
	case errors.Is(err, ErrDamaged):
		return item.Absent, nil
	case err != nil:
		return item.Unknown, err
	case s == nil || !s.Of(o.machine):
		return item.Absent, nil
	default:
		return item.Text(s.IP), nil
	}
}

// Apply implements item.Operation.
func (o *Operation) Apply(_ context.Context, _ item.Key, _, to item.State) error {
	if to == item.Absent {
		if err := o.m.Files.Remove(paths.NodeIP); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the saved node IP: %w", err)
		}
		return nil
	}
	text, err := State{Machine: o.machine, IP: to.Text(), Source: o.source}.encode()
	if err != nil {
		return fmt.Errorf("encode the node IP: %w", err)
	}
	if err := o.m.Files.Write(paths.NodeIP, text, 0o600); err != nil {
		return fmt.Errorf("save the node IP: %w", err)
	}
	return nil
}

// Settle implements item.Settler.
func (o *Operation) Settle(context.Context, item.Key) error {
	if err := o.m.Files.Settle(paths.NodeIP); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make the saved node IP durable: %w", err)
	}
	return nil
}

// Prerequisites implements item.Preparer: without a decision nothing is saved.
func (o *Operation) Prerequisites(_ context.Context, wants []item.Want, _ []item.Key) (item.Prerequisites, error) {
	pre := item.Prerequisites{}
	if o.problem != nil && len(wants) > 0 {
		pre.Blocked = map[item.Key]*item.Error{Key: o.problem.Failure()}
	}
	return pre, nil
}
