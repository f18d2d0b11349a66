package report

import (
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// View is how a report is shown, and what is known besides it.
type View struct {
	Host     string // its name
	About    string // its distribution and kernel
	Profiles []v1alpha1.HostProfile
	Warnings []document.Message
	Verbose  bool // all items, not only those that change or fail
	Quiet    bool // only what a person must know
	Stopped  bool // the run ended before its last stage
	Warned   int  // warnings that were told before
	// FirstBoot is what an image leaves to its clones; nil for a host that is none.
	FirstBoot *hostops.FirstBoot
	// Root is where the file system of an image is mounted; empty for a host that runs.
	Root    string
	Painter layout.Painter
	Took    time.Duration
}

// headline is the first line: which host, and what it is.
func (v *View) headline() string {
	if v.Quiet {
		return ""
	}
	return layout.Paragraph(v.Host+": "+v.About, 2) + "\n"
}

// show reports whether an entry is worth a line.
func (v *View) show(e *Entry) bool {
	switch e.Class {
	case Right:
		return v.Verbose && !v.Quiet && !scaffold(&e.Result)
	case Failure, Warning:
		return true
	case Skipped, Waiting:
		return v.Verbose && !v.Quiet
	default:
		return !v.Quiet
	}
}

// Warning is a paragraph for each warning.
func (v *View) Warning() string {
	var b strings.Builder
	for _, w := range v.Warnings {
		text := w.Message
		if w.Fix != "" {
			text += "; " + w.Fix
		}
		b.WriteString(v.Painter.Titled(layout.Mind, "warning", text))
	}
	return b.String()
}

// stopped are the stages that ended before they touched the host.
func stopped(t *layout.Table, r *item.Report) {
	for _, s := range r.Stages {
		if s.Err != nil {
			t.Row(layout.Cell{Text: "FAILED", Colour: layout.Bad}, layout.Text("stage "+s.Stage), layout.Text("nothing of it was written"))
			t.Note(1, layout.Text(s.Err.Error()))
		}
	}
}

// blocks joins parts of the output by empty lines.
func blocks(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.Trim(p, "\n"); p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(kept, "\n\n") + "\n"
}

// stop is the closing line of a run that ended before its last stage.
func (v *View) stop(r *item.Report, rest string) string {
	if rest == "" {
		rest = "nothing changed"
	}
	text := "Stopped: " + rest + ", " + took(v.Took) + "."
	if n := len(r.Stages); n > 0 {
		text += " The last stage was " + r.Stages[n-1].Stage + "; what comes after it was not begun."
	}
	return layout.Paragraph(text, 0)
}
