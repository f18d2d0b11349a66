package hostops

import (
	"context"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// checkSysctls counts what is right and what Up would change, and names each setting that
// Up cannot reach.
func (p *prospect) checkSysctls(context.Context) []CheckResult {
	var right, change, later, elsewhere int
	var failed []CheckResult
	for _, r := range p.report.Results() {
		if r.Key.Kind() != item.Sysctl {
			continue
		}
		switch r.Outcome {
		case item.Right, item.Adopted, item.Kept:
			right++
		case item.Changed:
			change++
		case item.Skipped:
			elsewhere++
		case item.Failed, item.Unseen:
			if c, ok := unreachable("sysctls", &r); ok {
				failed = append(failed, c)
			} else {
				later++
			}
		}
	}
	if right+change+later+elsewhere == 0 {
		return failed
	}
	return append([]CheckResult{{
		ID: "sysctls", Outcome: CheckOK, Required: true, MendedByUp: true,
		Message: counts(right, "right", change, "would change", later, "known later", elsewhere, "not on this host, skipped"),
	}}, failed...)
}

// unreachable is a setting that Up cannot bring about. A key that is only not known yet,
// or belongs to an interface that may come, is none.
func unreachable(section string, r *item.Result) (CheckResult, bool) {
	if r.Reason == "" || r.Reason == "InterfaceAbsent" {
		return CheckResult{}, false
	}
	c := CheckResult{
		ID: section, Outcome: CheckFail, Required: r.Required, Reason: r.Reason,
		Message: fmt.Sprintf("%s: %s", r.Key.Name(), r.Message), Fix: r.Fix, File: r.File, Line: r.Line,
	}
	if !r.Required {
		c.Outcome = CheckWarn
	}
	if c.Fix == "" && r.Reason == "KeyNotFound" {
		c.Fix = "correct the name, or write ifMissing: Skip"
	}
	return c, true
}

// counts returns "3 right, 1 would change", without what there is none of.
func counts(parts ...any) string {
	var out []string
	for i := 0; i+1 < len(parts); i += 2 {
		if n, ok := parts[i].(int); ok && n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, parts[i+1]))
		}
	}
	return strings.Join(out, ", ")
}
