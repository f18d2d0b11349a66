package hostops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/profile"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// Plan says what Up would do with the profiles, and refuses a kernel that Up refuses. It
// writes nothing and takes no lock. Nil profiles stand for the saved input.
func (h *Host) Plan(ctx context.Context, profiles []v1alpha1.HostProfile) (item.Report, error) {
	in, err := h.input(profiles)
	if err = cmp.Or(err, h.refuseBelowFloor()); err != nil {
		return item.Report{}, err
	}
	led, err := h.openLedger()
	if err != nil {
		return item.Report{}, refuse(err)
	}
	if err := h.refuseUsedImage(led); err != nil {
		return item.Report{}, err
	}
	want, err := h.wishes(in, led)
	if err != nil {
		return item.Report{}, err
	}
	node, err := h.settleNodeIP(ctx, &want, led)
	if err = cmp.Or(err, node.refusal()); err != nil {
		return item.Report{}, err
	}
	defer h.forgetUnit()
	h.settleUnit(ctx, &want, in, led)
	report, err := h.engineOfBoot(led).Run(ctx, want, engine.Options{DryRun: true})
	foresee(&report)
	return report, err
}

// UpOptions change what Up does.
type UpOptions struct {
	// Adopt rebuilds a ledger that is lost or unreadable from what our boot files name:
	// what was there before us is then unknown, and left as it is on Down.
	Adopt bool
	// Announce is called when the input and the host have been found good, before anything
	// is changed. May be nil.
	Announce func()
}

// Up brings the host to what the profiles wish, and makes them the saved input, which
// the next boot enforces. What an earlier input wished and this one does not is given
// back. Nil profiles apply the saved input again.
//
// At last systemd is told to start hostprofile.service, if that is installed, or to start
// it anew if it is another one now. Up does not wait for it: it repairs what changes from
// now on, and needs the run lock for that.
//
// Of an image only the files are written, for the boots of its clones: see Options. What
// was prepared as a host is refused then.
//
// An item that fails is in the report. The error means that the run was refused, with
// the host untouched, or had to stop.
func (h *Host) Up(ctx context.Context, profiles []v1alpha1.HostProfile, o UpOptions) (item.Report, error) {
	report, u, err := h.up(ctx, profiles, o)
	if err == nil {
		told(&report, h.startUnit(ctx, &report, u))
	}
	return report, err
}

// up is Up under the run lock. It returns what systemd says of the unit at last.
func (h *Host) up(ctx context.Context, profiles []v1alpha1.HostProfile, o UpOptions) (report item.Report, u machine.Unit, err error) {
	in, err := h.input(profiles)
	if err != nil {
		return item.Report{}, u, err
	}
	if h.SystemdAvailable(ctx) && in.Unit.installs() {
		defer unit.ReadAhead(h.machine)()
	}
	early, err := h.examine(ctx, in)
	if err != nil {
		return item.Report{}, u, err // before the lock, whose folder is a change too
	}
	defer sysctl.OpenAhead(h.machine, early.Wants)()
	if o.Announce != nil {
		o.Announce()
	}
	lock, err := h.lock(ctx)
	if err != nil {
		return item.Report{}, u, err
	}
	defer func() { err = errors.Join(err, lock.done()) }()
	led, err := h.openOrAdopt(ctx, in, o.Adopt)
	if err = cmp.Or(err, h.refuseUsedImage(led)); err != nil {
		return item.Report{}, u, err
	}
	want, err := h.wishes(in, led) // anew: much may have happened before the lock was had
	if err != nil {
		return item.Report{}, u, err
	}
	node, err := h.settleNodeIP(ctx, &want, led)
	if err = cmp.Or(err, node.refusal()); err != nil {
		return item.Report{}, u, err
	}
	if err := h.accept(in, led); err != nil {
		return item.Report{}, u, err
	}
	defer h.forgetUnit()
	h.settleUnit(ctx, &want, in, led)
	retired, err := h.retireUnit(ctx, want, led)
	if err != nil {
		return item.Report{}, u, err
	}
	e := h.engineOfBoot(led)
	lock.unlocked(e, led)
	h.closeBeside(e)
	systemd := h.reloadBeside(ctx, e)
	report, err = e.Run(ctx, want, engine.Options{})
	report.Stages = append(report.Stages, retired.Stages...)
	if errors.Is(err, ErrOvertaken) {
		return report, u, err // before the unit's stage, and whatever is left is the other run's
	}
	u, reloadErr := systemd.end(ctx)
	told(&report, reloadErr)
	return report, u, err
}

// examine refuses a kernel on which nothing is promised and an input that cannot be
// applied, and waits for the node's address. It returns what is wished before the lock is had.
func (h *Host) examine(ctx context.Context, in *Input) (want item.Desired, err error) {
	if err := h.refuseBelowFloor(); err != nil {
		return want, err
	}
	led, err := h.openLedger()
	if err != nil {
		led = nil // the run itself says what is wrong
	}
	if want, err = h.wishes(in, led); err != nil {
		return want, err
	}
	if err := h.refuseWithoutPolicy(ctx, want); err != nil {
		return want, err
	}
	section := h.sectionOrKept(&want, led)
	if section == nil {
		return want, nil
	}
	node, err := h.awaitNodeIP(ctx, section, led)
	return want, cmp.Or(err, node.refusal())
}

// input returns the given profiles, or the saved ones, and what is said of the boots to
// come.
func (h *Host) input(profiles []v1alpha1.HostProfile) (*Input, error) {
	in, err := h.SavedInput()
	if profiles != nil {
		fresh := &Input{Profiles: profiles}
		if in != nil {
			fresh.Unit = in.Unit
		}
		fresh.Unit = fresh.Unit.with(h.options.Unit)
		return fresh, nil // whatever is wrong with the saved one, it is replaced
	}
	if err != nil {
		return nil, &RefusedError{Reason: item.Reason(v1alpha1.ReasonLedgerUnreadable), Fix: "bootstrap up -f FILE", Err: err}
	}
	if in == nil {
		return nil, &RefusedError{Fix: "bootstrap up --profile kubernetes", Err: ErrNotManaged}
	}
	in.Unit = in.Unit.with(h.options.Unit)
	return in, nil
}

// accept makes the input the saved one. The order is the protocol's: an empty ledger comes
// first, so that a saved input without a ledger always means a lost one.
func (h *Host) accept(in *Input, led *ledger.Ledger) error {
	for _, dir := range []string{paths.StateDir} {
		if err := h.makeDir(dir); err != nil {
			return fmt.Errorf("create %s: %w", dir, err)
		}
	}
	if err := led.Durable.Claim(); err != nil {
		return err
	}
	if err := h.saveInput(in); err != nil {
		return err
	}
	if err := h.machine.Files.Remove(paths.Disabled); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the marker of an earlier down: %w", err)
	}
	return nil
}

// compile merges the input with what the cluster wants on top of it. Profiles of the
// input that disagree are an error; those of the cluster are not the caller's to mend.
// A nil ledger stands for an empty one.
func (h *Host) compile(in *Input, led *ledger.Ledger) (item.Desired, error) {
	accepted, err := h.Accepted()
	if err != nil {
		return item.Desired{}, err
	}
	c := h.compileOver(in, accepted, led)
	own := slices.DeleteFunc(c.Conflicts, func(c profile.Conflict) bool { return !c.Base })
	if len(own) > 0 {
		return item.Desired{}, &ConflictError{own}
	}
	return c.Desired, nil
}

// wishes is compile without what cannot be met on this host.
func (h *Host) wishes(in *Input, led *ledger.Ledger) (item.Desired, error) {
	want, err := h.compile(in, led)
	if h.offline() {
		want.Wants = ofImage(want.Wants)
	}
	return want, err
}

// compileOver merges all layers and adds what our own boot files need.
func (h *Host) compileOver(in *Input, accepted []Accepted, led *ledger.Ledger) profile.Compiled {
	c := profile.CompileLayers(layers(in, accepted), ownerIn(led))
	h.selinuxWants(&c.Desired, in, led)
	c.Desired.Wants = append(c.Desired.Wants, h.parents(c.Desired, led)...)
	return c
}
