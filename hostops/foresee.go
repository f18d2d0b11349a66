package hostops

import (
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
)

// foresee explains, in a dry run, items that cannot be seen yet because a stage before
// theirs did not run: they are no failures.
func foresee(report *item.Report) {
	coming := map[item.Key]bool{}
	for _, r := range report.Results() {
		if r.Key.Kind() == item.Module && r.Outcome == item.Changed {
			coming[r.Key] = true
		}
	}
	for i := range report.Stages {
		results := report.Stages[i].Results
		for j := range results {
			r := &results[j]
			module, ok := kmod.Bringing(r.Key)
			if r.Outcome == item.Unseen && ok && coming[kmod.Key(module)] {
				r.Reason, r.Fix, r.Message = "", "", "known after "+module+" is loaded"
			}
		}
	}
}
