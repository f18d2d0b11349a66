package report

import (
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// OfRun is the document of a run that wrote, or would write.
func OfRun(command string, v View, r *item.Report) document.Document {
	d := document.New(document.Report, command, v.Host)
	d.Warnings = append(d.Warnings, v.Warnings...)
	count := Count(r)
	summary := count
	summary.Warnings += len(v.Warnings) + v.Warned
	summary.FirstBoot = v.FirstBoot
	d.Summary = summary
	addItems(&d, r)
	switch {
	case count.Failed > 0:
		d.Result = document.Failed
	case !count.Quiet():
		d.Result = document.Changed
	}
	if count.Failed > 0 && !r.DryRun {
		d.ExitCode = exit.Failed
	}
	return d
}

// OfDown is the document of a give-back: what remains of ours is a failure.
func OfDown(v View, r *item.Report, g Given) document.Document {
	d := OfRun("down", v, r)
	for _, f := range g.Foreign {
		d.Warnings = append(d.Warnings, document.Message{Reason: "Foreign", Key: f.What, Message: f.Note})
	}
	addRemains(&d, g.Remains)
	return d
}

// addItems adds every result, and what of them is a failure or a warning once more
// where programs look for it.
func addItems(d *document.Document, r *item.Report) {
	for _, stage := range r.Stages {
		d.Tell(stage.Results)
		for i := range stage.Results {
			addComplaint(d, &stage.Results[i])
		}
		if stage.Err != nil {
			d.Errors = append(d.Errors, document.Complaint{Object: "stage/" + stage.Stage, Message: stage.Err.Error()})
		}
	}
}

// addComplaint adds a result that is a failure or a warning.
func addComplaint(d *document.Document, r *item.Result) {
	switch ClassOf(r) {
	case Failure:
		d.Errors = append(d.Errors, document.Complaint{
			Reason: string(r.Reason), Object: string(r.Key), File: r.File, Line: r.Line, Message: r.Message, Hint: r.Fix,
		})
	case Warning:
		d.Warnings = append(d.Warnings, document.Message{
			Reason: string(r.Reason), Key: string(r.Key), Source: document.At(r.File, r.Line), Message: r.Message, Fix: r.Fix,
		})
	}
}

// Standings is the summary of a status.
type Standings struct {
	State    Standing `json:"state"`
	Disabled bool     `json:"disabled"`
	Profiles []string `json:"profiles"`
	Owned    []string `json:"owned"`
	NodeIP   string   `json:"nodeIP,omitempty"` // as it is kept
	// RepairedBy is who repairs what others change.
	RepairedBy Repairer `json:"repairedBy"`
	Missing    int      `json:"missing"`
	Tally      Tally    `json:"items"`
}

// Repairer is a program that keeps a host.
type Repairer struct {
	By hostops.Keeper `json:"by"` // agent, resident or nobody
	// Holder is what it calls itself, with its process id; empty for nobody.
	Holder string `json:"holder,omitempty"`
}

// OfStatus is the document of a status.
func OfStatus(v View, s *hostops.Status) document.Document {
	d := document.New(document.Report, "status", v.Host)
	d.Warnings = append(d.Warnings, v.Warnings...)
	addItems(&d, &s.Report)
	sum := Standings{
		State: StandingOf(s), Disabled: s.Disabled, Profiles: append([]string{}, s.Profiles...),
		RepairedBy: Repairer{By: s.Keeper, Holder: s.Note},
		Owned:      []string{}, Missing: len(Missing(&s.Report)), Tally: Count(&s.Report),
	}
	if s.NodeIP != nil && s.NodeIP.Saved != nil {
		sum.NodeIP = s.NodeIP.Saved.IP
	}
	for _, k := range s.Owned {
		sum.Owned = append(sum.Owned, string(k))
	}
	d.Summary = sum
	switch sum.State {
	case NotManaged:
		d.Result, d.ExitCode = document.Refused, exit.Refused
	case Degraded, Prepared:
		d.Result, d.ExitCode = document.Failed, exit.Failed
	}
	return d
}
