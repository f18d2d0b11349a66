package report

import (
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Tally counts results. Files that are written for the next boot are counted apart from
// the settings, because they are there only when they change.
type Tally struct {
	Right    int `json:"right"`
	Changed  int `json:"changed"`
	Returned int `json:"returned"`
	Left     int `json:"left"`
	Skipped  int `json:"skipped"`
	Waiting  int `json:"waiting"`
	Unknown  int `json:"unknown"`
	Held     int `json:"held"`
	Warnings int `json:"warnings"`
	Failed   int `json:"failed"`
	Files    int `json:"files"` // written or removed
	Repaired int `json:"repaired"`
	// FirstBoot is what an image leaves to the first boot of each clone.
	FirstBoot *hostops.FirstBoot `json:"firstBoot,omitempty"`
}

// Count counts the results of a report. A stage that stopped is one failure.
func Count(r *item.Report) Tally {
	var t Tally
	for i := range r.Stages {
		for j := range r.Stages[i].Results {
			t.add(&r.Stages[i].Results[j])
		}
		if r.Stages[i].Err != nil {
			t.Failed++
		}
	}
	return t
}

func (t *Tally) add(r *item.Result) {
	class := ClassOf(r)
	if scaffold(r) && (class == Change || class == Return) {
		t.Files++
		return
	}
	if r.Drift && class == Change {
		t.Repaired++
	}
	if scaffold(r) && class == Right {
		return
	}
	*t.of(class)++
}

func (t *Tally) of(c Class) *int {
	counters := [...]*int{
		Right: &t.Right, Change: &t.Changed, Return: &t.Returned, Left: &t.Left, Skipped: &t.Skipped,
		Waiting: &t.Waiting, Unknown: &t.Unknown, Held: &t.Held, Warning: &t.Warnings, Failure: &t.Failed,
	}
	return counters[c]
}

// Quiet reports whether nothing was, or would be, written to the host.
func (t *Tally) Quiet() bool { return t.Changed+t.Returned+t.Files == 0 }
