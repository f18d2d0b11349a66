package report

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Overridden are the warnings about lines of other people's files: those that win over
// ours at boot, and those that do not but could cut the network if their reader ran once
// more.
func Overridden(overrides []hostops.Override) []document.Message {
	var out []document.Message
	for i := range overrides {
		o := &overrides[i]
		if !o.BeatsOurs && !CanCut(o.Key, o.Want.State) {
			continue
		}
		out = append(out, document.Message{
			Reason: string(v1alpha1.ReasonOverriddenAtNextBoot), Key: string(o.Key),
			Source: document.At(o.File, o.Line), Message: o.Message(), Fix: "delete the line, then look again",
		})
	}
	return out
}

// Blame adds to each result that does not hold the line of a file that set the value
// which was found.
func Blame(r *item.Report, overrides []hostops.Override) {
	for i := range r.Stages {
		results := r.Stages[i].Results
		for j := range results {
			for k := range overrides {
				blame(&results[j], &overrides[k])
			}
		}
	}
}

func blame(r *item.Result, o *hostops.Override) {
	if r.Key != o.Key || r.Have != o.Value || r.Reason != "" || holds(r) {
		return
	}
	r.Reason = item.Reason(v1alpha1.ReasonOverriddenByFile)
	r.Message, r.Fix = o.Message(), "delete the line, then run bootstrap up"
	r.File, r.Line = o.File, o.Line
}
