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
	look    Look
}

// Look asks what systemd says of a unit, as machine.Units.Unit does.
type Look func(ctx context.Context, name string) (machine.Unit, error)

// NewOperation returns the operation for a host, which asks systemd through look. A problem
// keeps a unit from being enabled; nil is none.
func NewOperation(m *machine.Machine, problem *item.Error, look Look) *Operation {
	return &Operation{m: m, problem: problem, look: look}
}

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Unit }

// Traits implements item.Operation: a unit is enabled after its files are written.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Rank: 1}
}

// Observe implements item.Operation. Where systemd is not the init, no boot starts a unit.
func (o *Operation) Observe(ctx context.Context, k item.Key) (item.State, error) {
	u, err := o.look(ctx, k.Name())
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
