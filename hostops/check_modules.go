package hostops

import (
	"context"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// checkModules says which modules are there, which Up can load, and what will keep it
// from loading one.
func (p *prospect) checkModules(context.Context) []CheckResult {
	var loaded, available []string
	var failed []CheckResult
	for _, r := range p.report.Results() {
		name := r.Key.Name()
		switch {
		case r.Key.Kind() != item.Module:
		case r.Outcome == item.Right || r.Outcome == item.Adopted:
			loaded = append(loaded, name)
		case r.Outcome == item.Changed:
			available = append(available, name)
		case !r.OK() || r.Outcome == item.Skipped:
			failed = append(failed, unloadable(&r))
		}
	}
	return append(modulesThere(loaded, available), failed...)
}

// modulesThere is one result for all modules that are no worry, none if there are none.
func modulesThere(loaded, available []string) []CheckResult {
	var parts []string
	if len(loaded) > 0 {
		parts = append(parts, strings.Join(loaded, ", ")+" loaded")
	}
	if len(available) > 0 {
		parts = append(parts, strings.Join(available, ", ")+" available")
	}
	if len(parts) == 0 {
		return nil
	}
	return []CheckResult{{
		ID: "modules", Outcome: CheckOK, Required: true, MendedByUp: true, Message: strings.Join(parts, "; "),
	}}
}

func unloadable(r *item.Result) CheckResult {
	c := CheckResult{
		ID: "modules", Outcome: CheckFail, Required: r.Required,
		Reason: r.Reason, Message: r.Message, Fix: r.Fix, File: r.File, Line: r.Line,
	}
	if !r.Required {
		c.Outcome = CheckWarn
	}
	return c
}
