package report

import (
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// Overridden are the warnings about lines of other people's files: those that win over
// ours at boot, and those that do not but could cut the network if their reader ran once
// more.
func Overridden(overrides []hostops.Override) []document.Message {
	var out []document.Message
	for i := range overrides {
		o := &overrides[i]
		if !o.BeatsOurs && !sysctl.CanCut(o.Key, o.Want.State) {
			continue
		}
		out = append(out, document.Message{
			Reason: string(v1alpha1.ReasonOverriddenAtNextBoot), Key: string(o.Key),
			Source: document.At(o.File, o.Line), Message: o.Message(), Fix: o.Fix(),
		})
	}
	return out
}

// Blame adds to each result that does not hold the line of a file that set the value
// which was found. It returns the lines that it did not need.
func Blame(r *item.Report, overrides []hostops.Override) []hostops.Override {
	return slices.DeleteFunc(overrides, func(o hostops.Override) bool {
		blamed := false
		for i := range r.Stages {
			for j := range r.Stages[i].Results {
				blamed = blame(&r.Stages[i].Results[j], &o) || blamed
			}
		}
		return blamed
	})
}

func blame(r *item.Result, o *hostops.Override) bool {
	if r.Key != o.Key || r.Have != o.Value || r.Reason != "" || holds(r) {
		return false
	}
	r.Reason = item.Reason(v1alpha1.ReasonOverriddenByFile)
	r.Message, r.Fix = o.Message(), o.Fix()+", then run bootstrap up"
	r.File, r.Line = o.File, o.Line
	return true
}
