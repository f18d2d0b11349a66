package item

import "iter"

// Outcome is what became of one item in a run.
type Outcome string

const (
	Right    Outcome = "Right"    // as wanted, nothing written
	Changed  Outcome = "Changed"  // written and read back
	Adopted  Outcome = "Adopted"  // was right already, recorded now
	Restored Outcome = "Restored" // the state of before us is back
	Released Outcome = "Released" // nothing had to be written to give it back
	Left     Outcome = "Left"     // somebody changed it since: left as found
	Failed   Outcome = "Failed"   // wanted and not reached
	Unseen   Outcome = "Unknown"  // cannot be observed now
	Skipped  Outcome = "Skipped"  // not there, and the profile said that is fine
	Kept     Outcome = "Held"     // held by its profile
)

// Result is what a run says of one item. In a dry run the outcome is what would become
// of it.
type Result struct {
	Key     Key
	Outcome Outcome
	Have    State // as found before the run
	Want    State // what was asked for, Unknown if nothing is
	Compare Compare
	Before  State // what giving back gives
	Now     State // as read back after the run; Have in a dry run
	Drift   bool  // the change repaired what somebody else had changed

	Required bool
	Source   Source
	Reason   Reason // empty when all is well
	Message  string
	Fix      string
	File     string
	Line     int
}

// OK reports whether the item is as it should be.
func (r *Result) OK() bool { return r.Outcome != Failed && r.Outcome != Unseen }

// StageReport is what one stage did.
type StageReport struct {
	Stage   string
	Results []Result
	// Err says why the stage stopped before it touched the host.
	Err error
}

// Report is what a run did, in the order of the stages.
type Report struct {
	Stages []StageReport
	DryRun bool
}

// Results returns the results of all stages in order.
func (r *Report) Results() []Result {
	all := make([]Result, 0, r.Len())
	for _, s := range r.Stages {
		all = append(all, s.Results...)
	}
	return all
}

// All goes through the results of all stages in order, without a copy of them.
func (r *Report) All() iter.Seq[*Result] {
	return func(yield func(*Result) bool) {
		for i := range r.Stages {
			for j := range r.Stages[i].Results {
				if !yield(&r.Stages[i].Results[j]) {
					return
				}
			}
		}
	}
}

// Len is the number of results of all stages.
func (r *Report) Len() int {
	n := 0
	for _, s := range r.Stages {
		n += len(s.Results)
	}
	return n
}
