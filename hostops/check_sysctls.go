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
	var count sysctlCount
	for _, r := range p.report.Results() {
		if r.Key.Kind() == item.Sysctl {
			count.add(&r)
		}
	}
	if count.none() {
		return count.failed
	}
	return append([]CheckResult{{
		ID: "sysctls", Outcome: CheckOK, Required: true, MendedByUp: true,
		Message: counts(count.right, "right", count.change, "would change", count.later, "known later",
			count.elsewhere, "not on this host, skipped"),
	}}, count.failed...)
}

// sysctlCount is what would become of the settings.
type sysctlCount struct {
	right, change, later, elsewhere int
	failed                          []CheckResult
}

func (c *sysctlCount) none() bool { return c.right+c.change+c.later+c.elsewhere == 0 }

func (c *sysctlCount) add(r *item.Result) {
	switch r.Outcome {
	case item.Right, item.Adopted, item.Kept:
		c.right++
	case item.Changed:
		c.change++
	case item.Skipped:
		c.elsewhere++
	case item.Failed, item.Unseen:
		if failure, ok := unreachable("sysctls", r); ok {
			c.failed = append(c.failed, failure)
		} else {
			c.later++
		}
	}
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
