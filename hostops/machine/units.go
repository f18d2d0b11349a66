package machine

import "context"

// Units are the units of the host's systemd. A unit is named in full: "kubelet.service".
//
// Where systemd is not the host's init, or does not answer yet, every call but
// SystemdRuns is ErrNoSystemd. A question takes 25 seconds at most, an order that is waited
// for a hundred; a systemd that closes the connection meanwhile is an error at once.
type Units interface {
	// SystemdRuns reports whether systemd is the host's init.
	SystemdRuns() bool
	// Unit describes a unit: its files as they are on disk, the rest as systemd has it in
	// memory. A unit that systemd does not know is UnitAbsent, and no error.
	Unit(ctx context.Context, name string) (Unit, error)
	// EnableUnit makes the next boots start a unit, as its own section [Install] says. One
	// that is masked is ErrMasked, one that is absent fs.ErrNotExist. One that is enabled
	// is no error.
	EnableUnit(ctx context.Context, name string) error
	// DisableUnit ends that. A unit that is absent, or not enabled, is no error.
	DisableUnit(ctx context.Context, name string) error
	// StartUnit lets systemd start a unit, and RestartUnit start it anew. They do not wait
	// until it has started, which may take as long as the unit likes.
	StartUnit(ctx context.Context, name string) error
	RestartUnit(ctx context.Context, name string) error
	// StopUnit stops a unit and waits until it has ended. A unit that does not run, or is
	// absent, is no error.
	StopUnit(ctx context.Context, name string) error
	// ReloadUnits lets systemd read all unit files again.
	ReloadUnits(ctx context.Context) error
}

// UnitState says whether the files of a unit let a boot start it.
type UnitState string

// The states of unit files. Systemd has others, such as "static", which mean that nothing
// can be enabled or that something else does it.
const (
	UnitAbsent   UnitState = "absent"
	UnitEnabled  UnitState = "enabled"
	UnitDisabled UnitState = "disabled"
	// UnitMasked: a link to /dev/null, or an empty file, is in the place of the unit.
	UnitMasked UnitState = "masked"
)

// Unit is what there is of a unit.
type Unit struct {
	State UnitState
	// Running: it is started, or being started.
	Running bool
	// Active is systemd's word for what it is doing: "active", "activating", "failed".
	Active string
	// NeedsReload: files of it were changed since systemd has read them.
	NeedsReload bool
	// MainPID is the process that systemd takes for the unit; 0 if there is none.
	MainPID int
}
