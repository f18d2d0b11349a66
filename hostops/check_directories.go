package hostops

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// checkDirectories counts the directories that profiles name, and names those that cannot
// be had.
func (p *prospect) checkDirectories(context.Context) []CheckResult {
	return p.counted("directories", item.Dir, item.Key.Path)
}

// checkMounts does the same for what systemd mounts at boot, and other inits may not.
func (p *prospect) checkMounts(context.Context) []CheckResult {
	return p.counted("mounts", item.Mount, item.Key.Name)
}

// counted counts what profiles wish of a kind, and names what cannot be had.
func (p *prospect) counted(id string, kind item.Kind, name func(item.Key) string) []CheckResult {
	var right, change int
	var failed []CheckResult
	for _, r := range p.report.Results() {
		switch {
		case r.Key.Kind() != kind || r.Source.Profile == "":
		case !r.OK():
			failed = append(failed, outOfReach(id, name(r.Key), &r))
		case r.Outcome == item.Changed:
			change++
		default:
			right++
		}
	}
	if right+change == 0 {
		return failed
	}
	sum := CheckResult{ID: id, Outcome: CheckOK, Required: true, MendedByUp: true, Message: counts(right, "right", change, "would be made or changed")}
	return append([]CheckResult{sum}, failed...)
}

// outOfReach is a wish that cannot be had. One that nobody requires keeps no kubelet away.
func outOfReach(id, name string, r *item.Result) CheckResult {
	outcome := CheckFail
	if !r.Required {
		outcome = CheckWarn
	}
	return CheckResult{
		ID: id, Outcome: outcome, Required: r.Required, Reason: r.Reason,
		Message: name + ": " + r.Message, Fix: r.Fix, File: r.File, Line: r.Line,
	}
}
