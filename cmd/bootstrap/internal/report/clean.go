package report

import (
	"fmt"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
)

// Unclean says what of ours is on a host that should have nothing.
func Unclean(v View, remains []string) string {
	if len(remains) == 0 {
		if v.Quiet {
			return ""
		}
		return fmt.Sprintf("%s: nothing of ours is here.\n", v.Host)
	}
	text := fmt.Sprintf("%s: %d of ours %s here.\n", v.Host, len(remains), plural(len(remains), "is", "are"))
	for _, what := range remains {
		text += "  " + layout.Printable(what) + "\n"
	}
	return text + "Give it back with: " + v.undo() + "\n"
}

// OfUnclean is the document of it.
func OfUnclean(v View, remains []string) document.Document {
	d := document.New(document.Report, "status", v.Host)
	addRemains(&d, remains)
	return d
}

// addRemains makes what remains of ours a failure.
func addRemains(d *document.Document, remains []string) {
	for _, what := range remains {
		d.Errors = append(d.Errors, document.Complaint{Reason: "Remains", Object: what, Message: "still there of ours"})
	}
	if len(remains) > 0 {
		d.Result, d.ExitCode = document.Failed, exit.Failed
	}
}
