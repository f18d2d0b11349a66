package hostops

import (
	"context"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

const checkIDSELinux = "selinux"

// checkSELinux says whether SELinux is on, and what of the profile's wishes about it does
// not hold.
func (p *prospect) checkSELinux(context.Context) []CheckResult {
	if p.facts.SELinux == machine.SELinuxOff {
		return nil
	}
	on := CheckResult{ID: checkIDSELinux, Outcome: CheckOK, Message: "SELinux is " + string(p.facts.SELinux)}
	wishes := slices.DeleteFunc(p.report.Results(), func(r item.Result) bool { return r.Key.Kind() != item.SELinux })
	if len(wishes) == 0 {
		on.Outcome = CheckInfo
		on.Message += ", and no profile manages it"
		return []CheckResult{on}
	}
	var out []CheckResult
	for _, r := range wishes {
		if r.Outcome == item.Right {
			continue
		}
		c := CheckResult{
			ID: checkIDSELinux + "." + r.Key.Name(), Outcome: CheckWarn, Required: r.Required,
			Reason: r.Reason, Message: r.Message, Fix: r.Fix,
		}
		switch {
		case r.Outcome == item.Changed:
			c.MendedByUp = true
			c.Message = "labels: " + r.Have.String()
			if r.Key != selinux.Labels {
				c.Message = r.Key.Name() + ": its programs would have another type than " + r.Want.String()
			}
		case r.Required:
			c.Outcome = CheckFail
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		on.Message += ", and its policy knows containers"
	}
	return append([]CheckResult{on}, out...)
}
