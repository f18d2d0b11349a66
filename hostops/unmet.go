package hostops

import (
	"context"
	"errors"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// Unmet are the items that a host needs before a kubelet starts on it and that do not hold,
// in the order of the stages. In the report of a dry run, what a run would change counts.
//
// What nobody requires does not count, nor what waits for an interface that is not there.
// Nor do profiles of the cluster that disagree: what is applied stays, and only a kubelet
// that runs brings the agent that can tell.
func Unmet(report *item.Report) []item.Result {
	var unmet []item.Result
	for i := range report.Stages {
		s := &report.Stages[i]
		for _, r := range s.Results {
			if r.Required && missing(&r, s.Err, report.DryRun) {
				unmet = append(unmet, r)
			}
		}
		if s.Err != nil && needed[s.Stage] && len(s.Results) == 0 {
			unmet = append(unmet, item.Result{
				Key: item.NewKey(stageKind, s.Stage), Outcome: item.Failed, Required: true, Message: s.Err.Error(),
			})
		}
	}
	return unmet
}

// needed are the stages that can have required items: one that could not be looked at at
// all may have some that do not hold.
var needed = map[string]bool{"directories": true, "modules": true, sysctlStageName: true, "swap": true, "node IP": true}

// stageKind names a stage as a whole.
const stageKind item.Kind = "stage"

// missing reports whether a required item does not hold. stopped is why its stage wrote
// nothing, if it did not.
func missing(r *item.Result, stopped error, dry bool) bool {
	switch r.Outcome {
	case item.Failed, item.Unseen:
		info, known := v1alpha1.LookUpReason(v1alpha1.Reason(r.Reason))
		return !known || info.Severity == v1alpha1.SeverityError
	case item.Changed:
		if stopped != nil {
			r.Message = "not written: " + stopped.Error()
		}
		return dry || stopped != nil
	default:
		return false
	}
}

// Look says what of all that is wished holds, and writes nothing, also on a host whose
// record is lost, unreadable or of a newer version: what is live can be seen without it.
func (h *Host) Look(ctx context.Context) (Reconciled, error) {
	var rec Reconciled
	led, err := h.openLedger()
	if err != nil {
		led = ledger.Blank(h.machine.Files, h.ledgerOptions())
	}
	accepted, err := h.Accepted()
	if err != nil {
		return rec, err
	}
	if rec.Input, err = h.SavedInput(); err != nil {
		return rec, err
	}
	c := h.compileOver(rec.Input, accepted, led)
	rec.Conflicts = c.Conflicts
	if rec.NodeIP, err = h.settleNodeIP(ctx, &c.Desired, led); err != nil {
		return rec, err
	}
	rec.Report, err = h.engine(led).Run(ctx, c.Desired, engine.Options{DryRun: true})
	return rec, err
}

// Managed reports whether there is anything to keep on this host: an input, profiles of
// the cluster or a record, readable or not.
func (h *Host) Managed() bool {
	led, err := h.openLedger()
	if err != nil {
		return true
	}
	in, err := h.SavedInput()
	accepted, acceptedErr := h.Accepted()
	return errors.Join(err, acceptedErr) != nil || in != nil || len(accepted) > 0 || !empty(led)
}
