package hostops

import (
	"context"
	"errors"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
)

// checkModules says which modules are there, which Up can load, and what will keep it
// from loading one.
func (p *prospect) checkModules(context.Context) []CheckResult {
	op := kmod.New(p.machine, p.facts.BootID)
	var loaded, available []string
	var failed []CheckResult
	for _, r := range p.report.Results() {
		name := r.Key.Name()
		switch {
		case r.Key.Kind() != item.Module:
		case r.Outcome == item.Right || r.Outcome == item.Adopted:
			loaded = append(loaded, name)
		case r.Outcome == item.Changed:
			if err := op.Outlook(name); err != nil {
				failed = append(failed, unloadable(&r, err))
			} else {
				available = append(available, name)
			}
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

func unloadable(r *item.Result, err error) CheckResult {
	c := CheckResult{ID: "modules", Outcome: CheckFail, Required: r.Required, Message: err.Error()}
	if !r.Required {
		c.Outcome = CheckWarn
	}
	var e *item.Error
	if errors.As(err, &e) {
		c.Reason, c.Fix, c.File, c.Line = e.Reason, e.Fix, e.File, e.Line
	}
	return c
}
