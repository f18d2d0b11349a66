package hostops

import (
	"context"
	"errors"
	"time"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// ErrDisabled: `bootstrap down` was run on this host, and nothing is written until the
// next `bootstrap up`.
var ErrDisabled = errors.New("this host was given back by 'bootstrap down'")

// ReconcileOptions change what Reconcile does.
type ReconcileOptions struct {
	// Report are items whose drift is told and not repaired now: their profile says so,
	// or somebody fights for them.
	Report func(item.Want) bool
	// NodeAddresses are those by which the cluster knows this node.
	NodeAddresses []string
	// Since is when a program that runs as the host boots has begun. An address of the
	// node that may change while the network comes up is not chosen before it was waited
	// for as long as profiles say. Zero: it is chosen at once.
	Since time.Time
	// NotAsked: the Node does not ask for the host to be given back, so that what the
	// agent began because of that is called off.
	NotAsked bool
}

// Reconciled is what a Reconcile did and found.
type Reconciled struct {
	Report item.Report
	// Conflicts are the settings on which profiles of one priority disagree.
	Conflicts []profile.Conflict
	// NodeIP is the address of the node; nil if none is kept or asked for.
	NodeIP *NodeIPReport
	// Input is what bootstrap was given; nil if nothing prepares this host before the
	// agent runs.
	Input *Input
	// Boot says whether the next boots prepare the host; nil if that cannot be told.
	Boot *Boot
}

// Reconcile brings the host to what the accepted profiles wish over bootstrap's input,
// and keeps them on the host. What neither wishes any more is given back. On a host
// that is as wished, nothing is written.
//
// The error means that the run was refused, with the host untouched (ErrDisabled, a
// *RefusedError, a *machine.BusyError), or had to stop.
func (h *Host) Reconcile(ctx context.Context, accepted []Accepted, o ReconcileOptions) (Reconciled, error) {
	return h.reconcile(ctx, func() ([]Accepted, error) { return accepted, nil }, o)
}

// Reapply is Reconcile with the profiles that were accepted last, as they are on the host
// when it is this run's turn.
func (h *Host) Reapply(ctx context.Context, o ReconcileOptions) (Reconciled, error) {
	return h.reconcile(ctx, h.Accepted, o)
}

func (h *Host) reconcile(ctx context.Context, accept func() ([]Accepted, error), o ReconcileOptions) (rec Reconciled, err error) {
	lock, err := h.lock(ctx)
	if err != nil {
		return rec, err
	}
	defer func() { err = errors.Join(err, lock.done()) }()
	if err := h.enabled(ctx, o.NotAsked); err != nil {
		return rec, err
	}
	accepted, err := accept()
	if err != nil {
		return rec, err
	}
	led, err := h.openLocked()
	if err != nil {
		return rec, refuse(err)
	}
	if rec.Input, err = h.SavedInput(); err != nil {
		return rec, err
	}
	if rec.Input == nil && len(accepted) == 0 && empty(led) {
		return rec, h.remove(paths.Accepted)
	}
	if err := h.keepAccepted(accepted, led); err != nil {
		return rec, err
	}
	c := h.compileOver(rec.Input, accepted, led)
	rec.Conflicts = c.Conflicts
	for i := range c.Desired.Wants {
		w := &c.Desired.Wants[i]
		w.Report = o.Report != nil && o.Report(*w)
	}
	h.reported, h.since = o.NodeAddresses, o.Since
	if rec.NodeIP, err = h.settleNodeIP(ctx, &c.Desired, led); err != nil {
		return rec, err
	}
	h.addFolders(&c.Desired, led)
	e := h.engine(led)
	lock.unlocked(e, led)
	rec.Report, err = e.Run(ctx, c.Desired, engine.Options{})
	if errors.Is(err, ErrOvertaken) {
		return rec, err
	}
	if b, bootErr := h.Boot(ctx); bootErr == nil {
		rec.Boot = &b
	}
	return rec, errors.Join(err, h.reloadNoted(ctx))
}

// keepAccepted keeps the profiles on the host, after an empty ledger: without one, they
// would mean that it was lost.
func (h *Host) keepAccepted(accepted []Accepted, led *ledger.Ledger) error {
	if err := h.makeDir(paths.StateDir); err != nil {
		return err
	}
	if err := led.Durable.Claim(); err != nil {
		return err
	}
	return h.saveAccepted(accepted)
}

// Preview says what Reconcile would do with other profiles. It writes nothing and takes
// no lock.
func (h *Host) Preview(ctx context.Context, accepted []Accepted) (item.Report, error) {
	led, err := h.openLedger()
	if err != nil {
		return item.Report{}, refuse(err)
	}
	in, err := h.SavedInput()
	if err != nil {
		return item.Report{}, err
	}
	want := h.compileOver(in, accepted, led).Desired
	if _, err := h.settleNodeIP(ctx, &want, led); err != nil {
		return item.Report{}, err
	}
	h.addFolders(&want, led)
	report, err := h.engine(led).Run(ctx, want, engine.Options{DryRun: true})
	foresee(&report)
	return report, err
}
