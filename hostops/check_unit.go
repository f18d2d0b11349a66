package hostops

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// checkUnit tells whether the boots to come prepare the host before its kubelet.
func (p *prospect) checkUnit(ctx context.Context) []CheckResult {
	const id = "unit"
	if p.report.Len() == 0 {
		return nil // nothing is asked of this host
	}
	b, err := p.Boot(ctx)
	if err != nil {
		return []CheckResult{{ID: id, Outcome: CheckWarn, Message: "systemd cannot be asked: " + err.Error()}}
	}
	for _, r := range p.report.Results() {
		if r.Key == unit.Key && !r.OK() {
			return []CheckResult{{ID: id, Outcome: CheckFail, Required: true, Reason: r.Reason, Message: r.Message, Fix: r.Fix}}
		}
		if r.Key == unit.Key && r.Outcome == item.Changed {
			return []CheckResult{{ID: id, Outcome: CheckOK, MendedByUp: true, Message: "'up' installs " + paths.Unit}}
		}
	}
	switch problem := b.Problem(); {
	case problem != nil:
		return []CheckResult{{ID: id, Outcome: CheckWarn, Reason: problem.Reason, Message: problem.Message, Fix: problem.Fix}}
	case b.State == machine.UnitEnabled:
		return []CheckResult{{ID: id, Outcome: CheckOK, Message: paths.Unit + " is enabled"}}
	default:
		return []CheckResult{{ID: id, Outcome: CheckInfo, Message: "no unit, as 'up' was told"}}
	}
}
