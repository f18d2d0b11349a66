package hostops

import (
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
)

// foresee explains, in a dry run, items that cannot be seen yet because a stage before
// theirs did not run: they are no failures.
func foresee(report *item.Report) {
	coming := map[item.Key]bool{}
	for r := range report.All() {
		if r.Key.Kind() == item.Module && r.Outcome == item.Changed {
			coming[r.Key] = true
		}
	}
	for r := range report.All() {
		module, ok := kmod.Bringing(r.Key)
		if r.Outcome == item.Unseen && ok && coming[kmod.Key(module)] {
			r.Reason, r.Fix, r.Message = "", "", "known after "+module+" is loaded"
		}
	}
}
