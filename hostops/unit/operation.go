package unit

import (
	"context"
	"errors"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The reasons that this package gives.
const (
	Masked         item.Reason = "UnitMasked"
	NotInstallable item.Reason = "ProgramNotInstallable"
)

// Key is the item of hostprofile.service: that boots start it.
var Key = item.NewKey(item.Unit, paths.Unit)

// Enabled is the state of a unit that boots start. One that they do not is Absent, whether
// it has a file or not.
var Enabled = item.Text("enabled")

// Operation enables units.
type Operation struct {
	m       *machine.Machine
	problem *item.Error
	seen    *machine.Unit // what Key was a moment ago; nil once it was told
}

// NewOperation returns the operation for a host. A problem keeps a unit from being
// enabled; nil is none. What systemd said of Key a moment ago need not be asked again; nil
// is nothing.
func NewOperation(m *machine.Machine, problem *item.Error, seen *machine.Unit) *Operation {
	return &Operation{m: m, problem: problem, seen: seen}
}

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Unit }

// Traits implements item.Operation: a unit is enabled after its files are written.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Rank: 1}
}

// Observe implements item.Operation. Where systemd is not the init, no boot starts a unit.
func (o *Operation) Observe(ctx context.Context, k item.Key) (item.State, error) {
	u, err := o.look(ctx, k)
	switch {
	case errors.Is(err, machine.ErrNoSystemd) && !o.m.Units.SystemdRuns():
		return item.Absent, nil
	case err != nil:
		return item.Unknown, fmt.Errorf("ask systemd about %s: %w", k.Name(), err)
	case u.State == machine.UnitEnabled:
		return Enabled, nil
	default:
		return item.Absent, nil
	}
}

func (o *Operation) look(ctx context.Context, k item.Key) (machine.Unit, error) {
	if seen := o.seen; seen != nil && k == Key {
		o.seen = nil
		return *seen, nil
	}
	return o.m.Units.Unit(ctx, k.Name())
}

// Apply implements item.Operation.
func (o *Operation) Apply(ctx context.Context, k item.Key, _, to item.State) error {
	if to == item.Absent {
		return o.m.Units.DisableUnit(ctx, k.Name())
	}
	err := o.m.Units.EnableUnit(ctx, k.Name())
	if errors.Is(err, machine.ErrMasked) {
		return &item.Error{Reason: Masked, Message: k.Name() + " is masked", Fix: "systemctl unmask " + k.Name(), Err: err}
	}
	return err
}

// Prerequisites implements item.Preparer.
func (o *Operation) Prerequisites(_ context.Context, wants []item.Want, _ []item.Key) (item.Prerequisites, error) {
	pre := item.Prerequisites{}
	if o.problem != nil && len(wants) > 0 {
		pre.Blocked = map[item.Key]*item.Error{Key: o.problem}
	}
	return pre, nil
}
