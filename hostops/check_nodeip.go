package hostops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

const checkIDNodeIP = "node-ip"

// nodeIPReasons are those for which a run is refused because of the node's address.
var nodeIPReasons = []item.Reason{nodeip.Ambiguous, nodeip.NotFound, nodeip.Lost, nodeip.Held, nodeip.Mismatch, nodeip.Invalid}

// checkNodeIP tells which address Up would keep, or keeps.
func (p *prospect) checkNodeIP(context.Context) []CheckResult {
	r := p.DecidedNodeIP()
	if r == nil || !r.Managed || r.Problem != nil && r.Problem.Refuse {
		return nil // nothing is asked, or it is told already
	}
	if p := r.Problem; p != nil {
		return []CheckResult{{ID: checkIDNodeIP, Outcome: CheckFail, Required: true, Reason: p.Reason, Message: p.Message, Fix: p.Fix}}
	}
	message := fmt.Sprintf("%s, %s", r.IP, strings.ToLower(string(r.Source)))
	if links := slices.Compact(slices.Clone(r.Links)); len(links) > 0 && links[0] != "" {
		message = fmt.Sprintf("%s on %s, %s", r.IP, strings.Join(links, ", "), strings.ToLower(string(r.Source)))
	}
	out := []CheckResult{{ID: checkIDNodeIP, Outcome: CheckOK, Required: true, Message: message}}
	for _, w := range r.Warnings {
		out = append(out, CheckResult{ID: checkIDNodeIP, Outcome: CheckWarn, Reason: w.Reason, Message: w.Message, Fix: w.Fix})
	}
	return out
}
