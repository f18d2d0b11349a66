package hostops

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// CheckOutcome is what a check found.
type CheckOutcome string

// The outcomes of a check.
const (
	CheckOK   CheckOutcome = "ok"
	CheckInfo CheckOutcome = "info" // worth knowing, neither good nor bad
	CheckWarn CheckOutcome = "warn" // works, and may surprise later
	CheckFail CheckOutcome = "fail"
)

// CheckResult is one thing that was looked at.
type CheckResult struct {
	// ID names what was looked at: a section, or a section, a dot and a word.
	ID      string
	Outcome CheckOutcome
	// Required: with a failure here the host will not do.
	Required bool
	// MendedByUp: Up puts it right.
	MendedByUp bool
	Reason     item.Reason // one word for programs; may be empty
	Message    string
	Fix        string
	File       string // the host's file that is the cause, if one is
	Line       int
}

// Stops reports whether the host will not do, whatever Up does.
func (r *CheckResult) Stops() bool {
	return r.Outcome == CheckFail && r.Required && !r.MendedByUp
}

// prospect is what the checks look at: the host, and what Up would make of it.
type prospect struct {
	*Host
	want   item.Desired
	report item.Report
	// kubernetes: a profile is meant for Kubernetes, so that its needs count.
	kubernetes bool
	// cilium: the profile of Cilium is among them.
	cilium bool
	// defaults: the settings that the kubelet checks are asked for.
	defaults bool
}

// forKubernetes are the profiles that nobody asks for on a host without Kubernetes.
// Everything else may be meant for any host, and then what only Kubernetes needs is told
// and not required.
var forKubernetes = []string{"kubernetes", kubeletDefaults, ciliumProfile}

const (
	kubeletDefaults = "kubelet-defaults"
	ciliumProfile   = "cilium"
)

// meansKubernetes reports whether an input is for a node of Kubernetes.
func meansKubernetes(in *Input) bool {
	return slices.ContainsFunc(forKubernetes, in.names)
}

// names reports whether a profile of this name is in the input.
func (in *Input) names(profile string) bool {
	return slices.ContainsFunc(in.Profiles, func(p v1alpha1.HostProfile) bool { return p.Name == profile })
}

// Check says whether this host will do for the profiles, and what Up will mend. It writes
// nothing and takes no lock. Nil profiles stand for the saved input, and for nothing at
// all on a host without one. A record that the caller may not read is an error and no
// finding: it may well be right.
func (h *Host) Check(ctx context.Context, profiles []v1alpha1.HostProfile) ([]CheckResult, error) {
	p, results, err := h.prospect(ctx, profiles)
	if err != nil {
		return nil, err
	}
	for _, look := range p.looks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		results = append(results, look(ctx)...)
	}
	return results, nil
}

// looks are all checks in the order in which they are told; of a tree, those that files
// alone can answer.
func (p *prospect) looks() []func(context.Context) []CheckResult {
	if p.offline() {
		return []func(context.Context) []CheckResult{
			p.checkTree, p.checkSwap, p.checkFiles, p.checkTuned, p.checkKubelet, p.checkRKE2, p.checkHostname, p.checkManager,
		}
	}
	return []func(context.Context) []CheckResult{
		p.checkFloor, p.checkDirectories, p.checkModules, p.checkSwap, p.checkMounts, p.checkSysctls, p.checkLive, p.checkFiles, p.checkTuned, p.checkKubelet, p.checkRKE2,
		p.checkLinks, p.checkInotify, p.checkHostname, p.checkNodeIP, p.checkManager, p.checkSELinux, p.checkFirewalld, p.checkUnit,
	}
}

func (h *Host) prospect(ctx context.Context, profiles []v1alpha1.HostProfile) (*prospect, []CheckResult, error) {
	p := &prospect{Host: h}
	in, err := h.input(profiles)
	var refused *RefusedError
	switch {
	case errors.Is(err, ErrNotManaged):
		return p, nil, nil
	case errors.As(err, &refused) && !errors.Is(err, fs.ErrPermission):
		return p, []CheckResult{refused.checked()}, nil
	case err != nil:
		return nil, nil, err
	}
	p.kubernetes = meansKubernetes(in)
	p.defaults, p.cilium = in.names(kubeletDefaults), in.names(ciliumProfile)
	if p.want, err = h.compile(in, nil); err != nil {
		return nil, nil, err
	}
	if h.offline() {
		return p, nil, nil // what is live here is another host's
	}
	if p.report, err = h.Plan(ctx, in.Profiles); errors.As(err, &refused) && !errors.Is(err, fs.ErrPermission) {
		return p, []CheckResult{refused.checked()}, nil
	}
	return p, nil, err
}

// checked is a record, or the address of the node, that keeps Up from running.
func (e *RefusedError) checked() CheckResult {
	id := "record"
	if slices.Contains(nodeIPReasons, e.Reason) {
		id = checkIDNodeIP
	}
	return CheckResult{ID: id, Outcome: CheckFail, Required: true, Reason: e.Reason, Message: e.Error(), Fix: e.Fix}
}
