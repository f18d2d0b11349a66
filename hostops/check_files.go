package hostops

import (
	"context"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// checkFiles names the lines of other people's sysctl.d files that are against our
// wishes. None is a failure: what is live now is what counts, and Up sets it.
func (p *prospect) checkFiles(context.Context) []CheckResult {
	overrides, err := p.overrides(p.want)
	if err != nil {
		return []CheckResult{{ID: "sysctl.d", Outcome: CheckWarn, Message: err.Error()}}
	}
	var out []CheckResult
	for i := range overrides {
		o := &overrides[i]
		r := CheckResult{ID: "sysctl.d", Outcome: CheckInfo, Message: o.Message(), File: o.File, Line: o.Line}
		if o.BeatsOurs {
			r.Outcome, r.Reason = CheckWarn, item.Reason(v1alpha1.ReasonOverriddenAtNextBoot)
			r.Fix = o.Fix() + "; until then a boot undoes the setting, and 'up' sets it again"
		}
		out = append(out, r)
	}
	return out
}
