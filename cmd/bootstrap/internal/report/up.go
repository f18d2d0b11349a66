package report

import (
	"fmt"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Up shows what a run did.
func Up(v View, r *item.Report) string {
	count := Count(r)
	if v.Quiet && !v.Stopped && count.Failed+count.Warnings+len(v.Warnings) == 0 {
		return ""
	}
	t := layout.Table{Caps: []int{8, 54, 50}, Floors: []int{7}}
	for _, e := range Fold(r, v.Profiles) {
		if v.show(&e) {
			v.done(&t, &e)
		}
	}
	stopped(&t, r)
	if !v.Stopped && count.Quiet() && count.Failed == 0 && t.Empty() && len(v.Warnings) == 0 {
		return v.closing(r, &count)
	}
	return blocks(v.headline(), t.Render(v.Painter), v.Warning(), v.closing(r, &count))
}

// done is the line of one entry, and the lines below it that say why.
func (v *View) done(t *layout.Table, e *Entry) {
	var detail string
	switch e.Class {
	case Change:
		detail = e.became()
	case Return:
		detail = e.returned()
	case Failure, Warning:
		detail = e.missed()
	case Left:
		detail = "changed by others since: left as found"
	case Waiting:
		detail = e.Message
	case Skipped:
		detail = e.skipped()
	default:
		detail = e.kept()
	}
	t.Row(e.doneWord(), layout.Text(e.full()), layout.Text(detail))
	if e.Class == Failure || e.Class == Warning {
		e.explain(t)
	}
}

func (e *Entry) doneWord() layout.Cell {
	switch e.Class {
	case Change:
		return layout.Cell{Text: "changed", Colour: layout.Good}
	case Return:
		return layout.Cell{Text: "returned", Colour: layout.Good}
	case Failure:
		return layout.Cell{Text: "FAILED", Colour: layout.Bad}
	case Warning:
		return layout.Cell{Text: "warning", Colour: layout.Mind}
	case Left:
		return layout.Cell{Text: "left", Colour: layout.Mind}
	case Waiting:
		return layout.Text("waiting")
	case Skipped:
		return layout.Text("skipped")
	case Held:
		return layout.Text("held")
	default:
		return layout.Cell{Text: "right", Colour: layout.Faint}
	}
}

// became is what happened to an entry that was changed.
func (e *Entry) became() string {
	var detail string
	if e.comes() {
		return e.coming()
	}
	switch e.Key.Kind() {
	case item.Module:
		detail = "loaded"
	case item.Dir:
		detail = e.step(e.Have, e.Want)
		if e.Have == item.Absent {
			detail = "made, " + text(e.Want)
		}
	case item.File:
		detail = "written"
	case item.Program:
		detail = "installed"
	case item.Unit:
		detail = "enabled"
	case item.NodeIP:
		detail = addressWord(e.Have, e.Want) + ", kept from now on"
	case item.Firewalld:
		detail = "bound"
		if e.ownPath() != "" {
			detail = "written by firewalld"
		}
	case item.Mount:
		detail = e.step(e.Have, e.Want)
		if e.Have == item.Absent {
			detail = text(e.Want)
		}
	default:
		detail = e.step(e.Have, e.Want)
	}
	if e.Drift {
		detail += ", repaired"
	}
	return detail
}

// missed is what was wanted and did not come about.
func (e *Entry) missed() string {
	reason := string(e.Reason)
	switch {
	case e.Key.Kind() != item.Sysctl:
		return reason
	case reason == "":
		return "want " + wanted(&e.Result)
	default:
		return "want " + wanted(&e.Result) + ": " + reason
	}
}

// explain adds why, and what helps.
func (e *Entry) explain(t *layout.Table) {
	if e.Message != "" {
		t.Note(1, layout.Text(e.Message))
	}
	if e.Fix != "" {
		t.Note(1, layout.Cell{Text: e.Fix, Colour: layout.Bold})
	}
}

func (v *View) closing(r *item.Report, t *Tally) string {
	warnings := t.Warnings + len(v.Warnings) + v.Warned
	rest := counted(t.Changed, "changed", t.Returned, "given back", t.Files, plural(t.Files, "file written", "files written"),
		t.Right, "already right", t.Waiting, "waiting", t.Skipped, "skipped", t.Left, "left as found", t.Held, "held",
		warnings, plural(warnings, "warning", "warnings"))
	switch {
	case v.Stopped:
		return v.stop(r, rest)
	case t.Failed > 0:
		return v.failed(t, rest)
	case v.Quiet:
		return ""
	case t.Quiet():
		more := counted(t.Skipped, "skipped", t.Waiting, "waiting", t.Held, "held", warnings, plural(warnings, "warning", "warnings"))
		if more != "" {
			more = ", " + more
		}
		return fmt.Sprintf("Nothing to do: %d right, 0 written%s (%s).\n", t.Right, more, took(v.Took))
	default:
		return layout.Paragraph(fmt.Sprintf("Done: %s, %s.", rest, took(v.Took)), 0) + v.prepared() + "Undo with: " + v.undo() + "\n"
	}
}

func (v *View) failed(t *Tally, rest string) string {
	if rest != "" {
		rest = ", " + rest
	}
	text := fmt.Sprintf("Failed: %d failed%s, %s. Everything else is %s.", t.Failed, rest, took(v.Took), v.reached())
	return layout.Paragraph(text, 0) + "Run it again after the fix; undo with: " + v.undo() + "\n"
}
