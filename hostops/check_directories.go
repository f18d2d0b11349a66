package hostops

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// checkDirectories counts the directories that profiles name, and names those that cannot
// be had.
func (p *prospect) checkDirectories(context.Context) []CheckResult {
	const id = "directories"
	var right, change int
	var failed []CheckResult
	for _, r := range p.report.Results() {
		switch {
		case r.Key.Kind() != item.Dir || r.Source.Profile == "":
		case !r.OK():
			failed = append(failed, CheckResult{
				ID: id, Outcome: CheckFail, Required: r.Required, Reason: r.Reason,
				Message: r.Key.Path() + ": " + r.Message, Fix: r.Fix, File: r.File, Line: r.Line,
			})
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
