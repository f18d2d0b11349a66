package report

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// sections are the kinds in the order of the stages; files come last, because they are
// what the others leave for the next boot.
var sections = []struct {
	kind item.Kind
	name string
}{
	{item.Dir, "folders"}, {item.Module, "modules"}, {item.Sysctl, "sysctls"}, {item.Swap, "swap"}, {item.Mount, "mounts"}, {item.SELinux, "SELinux"}, {item.Firewalld, "firewalld"}, {item.NodeIP, "node IP"}, {item.File, "files"}, {item.Program, ""}, {item.Unit, "unit"},
}

// Plan shows what a run would do.
func Plan(v View, r *item.Report) string {
	t := layout.Table{Caps: []int{10, 1, 46, 28, 20}, Floors: []int{9}}
	entries := Fold(r, v.Profiles)
	for _, s := range sections {
		v.section(&t, s.kind, s.name, entries)
	}
	stopped(&t, r)
	count := Count(r)
	return blocks(v.headline(), t.Render(v.Painter), v.Warning(), v.planned(&count))
}

func (v *View) section(t *layout.Table, kind item.Kind, name string, entries []Entry) {
	for _, e := range entries {
		if e.Key.Kind() != kind || !v.show(&e) && (e.Class != Waiting || v.Quiet) {
			continue
		}
		change, from := e.planned()
		t.Row(layout.Text(name), e.mark(), layout.Text(e.name()), layout.Text(change), layout.Text(from))
		name = ""
		if (e.Class == Failure || e.Class == Warning) && e.Fix != "" {
			t.Note(2, layout.Text(e.Fix))
		}
	}
}

// mark is the sign in front of an entry.
func (e *Entry) mark() layout.Cell {
	switch e.Class {
	case Change:
		switch {
		case sysctl.CanCut(e.Key, e.Want):
			return layout.Cell{Text: "!", Colour: layout.Bad}
		case e.Have == item.Absent:
			return layout.Cell{Text: "+", Colour: layout.Good}
		default:
			return layout.Cell{Text: "~", Colour: layout.Mind}
		}
	case Return:
		return layout.Cell{Text: "-", Colour: layout.Mind}
	case Unknown, Waiting, Failure, Warning:
		return layout.Cell{Text: "?", Colour: layout.Mind}
	default:
		return layout.Cell{Text: "=", Colour: layout.Faint}
	}
}

// planned is what would happen to an entry, and whose wish that is.
func (e *Entry) planned() (change, from string) {
	from = e.Source.Profile
	switch e.Class {
	case Change:
		change = e.step(e.Have, e.Want)
		if e.comes() {
			change = e.coming()
		}
	case Return:
		change, from = e.returning(), "no profile wants it any more"
	case Right, Held:
		change = e.kept()
	case Left:
		change, from = "left as found", ""
	case Skipped:
		change = e.skipped() + ", skipped"
	case Waiting:
		change = e.Message
	default:
		change, from = e.because(), ""
	}
	if e.Drift && e.Class == Change {
		from += ", drifted"
	}
	return change, from
}

func (e *Entry) kept() string {
	switch {
	case e.comes():
		return e.coming()
	case e.Outcome == item.Adopted:
		return text(e.Have) + ", to be recorded"
	case e.Key.Kind() == item.Sysctl:
		return text(e.Have) + e.onLinks()
	case e.Key.Kind() == item.NodeIP, e.Key.Kind() == item.Mount, e.Key.Kind() == item.Dir, e.Key.Kind() == item.SELinux:
		return text(e.Have)
	case e.Key.Kind() == item.Module:
		return "loaded"
	case e.Key.Kind() == item.Swap:
		return swapWord(e.Have)
	case e.Key.Kind() == item.Unit:
		return text(e.Have)
	default:
		return ""
	}
}

// because is why an entry is not, or cannot be, as wanted.
func (e *Entry) because() string {
	if e.Reason == "" {
		return e.Message
	}
	return string(e.Reason) + ": " + e.Message
}

func (v *View) planned(t *Tally) string {
	if v.Quiet && t.Failed+t.Warnings == 0 {
		return ""
	}
	parts := []string{"nothing to change"}
	if some := counted(t.Changed, "to change", t.Returned, "to give back", t.Files, plural(t.Files, "file", "files")); some != "" {
		parts[0] = some
	}
	warnings := t.Warnings + len(v.Warnings) + v.Warned
	more := counted(t.Failed, "cannot be reached", t.Unknown, "unknown", t.Waiting, "waiting", t.Held, "held",
		t.Right, "already right", t.Skipped, "skipped", warnings, plural(warnings, "warning", "warnings"))
	if more != "" {
		parts = append(parts, more)
	}
	return layout.Paragraph(fmt.Sprintf("Plan: %s. Nothing was written.", strings.Join(parts, ", ")), 0)
}
