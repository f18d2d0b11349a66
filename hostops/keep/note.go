package keep

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Change is what a run wrote to the host, and why.
type Change struct {
	item.Result
	Cause string
}

// Note takes in what a run found, and returns and logs what it wrote to the host.
func (r *Repairs) Note(report *item.Report, ring Ring, now time.Time, log *slog.Logger) []Change {
	results := report.Results()
	r.fights.Observe(results, now)
	results = slices.DeleteFunc(results, func(res item.Result) bool {
		return res.Outcome != item.Changed && res.Outcome != item.Restored
	})
	changes := make([]Change, len(results))
	for i, res := range results {
		changes[i] = Change{res, ring.Cause()}
		if res.Drift {
			changes[i].Cause = hostops.CauseDrift
		}
		changes[i].log(log)
	}
	return changes
}

func (c *Change) log(log *slog.Logger) {
	log.Info(fmt.Sprintf("changed %s from %s to %s", c.Key, c.Have, c.Now), EventChanged.Attr(), "key", string(c.Key), "from", c.Have.String(), "to", c.Now.String(),
		"profile", c.Source.Profile, "generation", c.Source.Generation, "cause", c.Cause)
}
