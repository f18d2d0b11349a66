package hostops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// TrustPodInterfaces applies the firewalld sections of the profiles and nothing else, and
// returns what became of each interface. Nil profiles stand for the saved input. It may
// be called at every start: what holds already is not written. Conflicts, and a firewalld
// that is stopped, masked or not installed, are in the report and no error.
func (h *Host) TrustPodInterfaces(ctx context.Context, profiles []v1alpha1.HostProfile) (item.Report, error) {
	in, err := h.input(profiles)
	if err != nil {
		return item.Report{}, err
	}
	return h.onlyFirewalld(ctx, profile.Compile(in.Profiles).Desired)
}

// UntrustPodInterfaces takes out every binding that is recorded, from the configuration
// that it was added to, and says on w what became of each. Of a firewalld that does not
// run, the files are changed. The error names what could not be taken out, with the
// command for it; it stays recorded.
func (h *Host) UntrustPodInterfaces(ctx context.Context, w io.Writer) error {
	report, err := h.onlyFirewalld(ctx, item.Desired{})
	if err != nil {
		return err
	}
	var left []string
	for _, r := range report.Results() {
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.Key, r.Outcome); err != nil {
			return err
		}
		if !r.OK() || r.Outcome == item.Left && !r.Have.Known() {
			left = append(left, fmt.Sprintf("%s: %s; %s", r.Key, r.Message, r.Fix))
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("still bound: %q", left)
	}
	return nil
}

// onlyFirewalld runs the one stage under the run lock.
func (h *Host) onlyFirewalld(ctx context.Context, want item.Desired) (report item.Report, err error) {
	lock, err := h.lock(ctx)
	if err != nil {
		return item.Report{}, err
	}
	defer func() { err = errors.Join(err, lock.done()) }()
	led, err := h.openLocked()
	if err != nil {
		return item.Report{}, refuse(err)
	}
	e := h.engine(led)
	e.Stages = slices.DeleteFunc(e.Stages, func(s engine.Stage) bool { return s.Name != "firewalld" })
	return e.Run(ctx, want, engine.Options{})
}

// Firewalld returns what there is of firewalld on the host.
func (h *Host) Firewalld(ctx context.Context) (machine.Firewalld, error) {
	return h.machine.Firewall.Look(ctx)
}

// ManagedInterfaces returns the interfaces which the profiles trust, and which
// NetworkManager manages too. Nil profiles stand for the saved input, with what the
// cluster wishes on top of it.
func (h *Host) ManagedInterfaces(profiles []v1alpha1.HostProfile) ([]firewalld.Managed, error) {
	in, err := h.input(profiles)
	if err != nil {
		return nil, err
	}
	want, err := h.compile(in, nil)
	if err != nil {
		return nil, err
	}
	return h.managed(want), nil
}

func (h *Host) managed(want item.Desired) []firewalld.Managed {
	return firewalld.ManagedInterfaces(h.machine, firewalld.TrustedNames(want))
}

// OwnedFirewalldInterfaces lists the bindings of interfaces that giving back will remove,
// each with its configuration and zone, such as "permanent/trusted/lxc+". An unreadable
// record is an error.
func (h *Host) OwnedFirewalldInterfaces(context.Context) ([]string, error) {
	return h.ownedFirewalld(false)
}

// OwnedFirewalldSources lists the sources of an older record that giving back will
// remove. No source is ever added.
func (h *Host) OwnedFirewalldSources(context.Context) ([]string, error) {
	return h.ownedFirewalld(true)
}

func (h *Host) ownedFirewalld(source bool) ([]string, error) {
	led, err := h.openLedger()
	if err != nil {
		return nil, refuse(err)
	}
	var out []string
	for _, k := range led.Durable.Keys() {
		if r, ok := firewalld.Parse(k); ok && !r.File && r.Binding.Source == source {
			out = append(out, k.Name())
		}
	}
	slices.Sort(out)
	return out, nil
}
