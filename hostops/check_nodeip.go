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

// checkNodeIP tells which address Up would keep, or keeps, and what became of the others.
func (p *prospect) checkNodeIP(ctx context.Context) []CheckResult {
	r := p.DecidedNodeIP()
	switch {
	case r == nil || !r.Managed:
		return p.likelyNodeIP(ctx)
	case r.Problem != nil && r.Problem.Refuse:
		return otherAddresses(&r.Detection) // the problem is told already
	case r.Problem != nil:
		problem := CheckResult{ID: checkIDNodeIP, Outcome: CheckFail, Required: true, Reason: r.Problem.Reason, Message: r.Problem.Message, Fix: r.Problem.Fix}
		return append([]CheckResult{problem}, otherAddresses(&r.Detection)...)
	}
	message := fmt.Sprintf("%s, %s", r.IP, strings.ToLower(string(r.Source)))
	if links := slices.Compact(slices.Clone(r.Links)); len(links) > 0 && links[0] != "" {
		message = fmt.Sprintf("%s on %s, %s", r.IP, strings.Join(links, ", "), strings.ToLower(string(r.Source)))
	}
	out := []CheckResult{{ID: checkIDNodeIP, Outcome: CheckOK, Required: true, Message: message}}
	for _, w := range r.Warnings {
		out = append(out, CheckResult{ID: checkIDNodeIP, Outcome: CheckWarn, Reason: w.Reason, Message: w.Message, Fix: w.Fix})
	}
	return append(out, otherAddresses(&r.Detection)...)
}

// likelyNodeIP tells, where no profile has the address kept, which one the rules would
// choose: a kubelet that is told nothing goes by the default route, too.
func (p *prospect) likelyNodeIP(ctx context.Context) []CheckResult {
	if !p.kubernetes {
		return nil
	}
	s, err := p.machine.Network.Snapshot(ctx)
	if err != nil {
		return []CheckResult{{ID: checkIDNodeIP, Outcome: CheckWarn, Message: err.Error()}}
	}
	d, err := nodeip.Detect(&s, &nodeip.Wish{})
	r := CheckResult{ID: checkIDNodeIP, Outcome: CheckInfo}
	if err != nil {
		r.Message = err.Error() + "; no profile has it kept"
		r.Fix = "name subnets or an address in a section nodeIP; see: bootstrap node-ip --explain"
	} else {
		r.Message = fmt.Sprintf("%s on %s, if nothing else is said; no profile has it kept", d.String(), strings.Join(d.Links, ", "))
	}
	return append([]CheckResult{r}, otherAddresses(&d)...)
}

// mostAddresses is how many addresses are told.
const mostAddresses = 8

// otherAddresses are those that were not chosen. Loopback and link-local addresses every
// host has.
func otherAddresses(d *nodeip.Detection) []CheckResult {
	var out []CheckResult
	for i := range d.Candidates {
		c := &d.Candidates[i]
		if c.Verdict == nodeip.Chosen || c.Verdict == nodeip.Unreachable || c.Verdict == nodeip.OtherFamily {
			continue
		}
		if len(out) == mostAddresses {
			return append(out, CheckResult{ID: checkIDNodeIP, Outcome: CheckInfo, Message: "and more; see: bootstrap node-ip --explain"})
		}
		message := fmt.Sprintf("not %s on %s: %s", c.Address.Addr(), c.Link, c.Verdict)
		if c.Why != "" {
			message = fmt.Sprintf("not %s on %s: %s", c.Address.Addr(), c.Link, c.Why)
		}
		out = append(out, CheckResult{ID: checkIDNodeIP, Outcome: CheckInfo, Message: message})
	}
	return out
}
