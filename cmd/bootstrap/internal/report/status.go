package report

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Standing is how a host stands, in one word.
type Standing string

// The standings.
const (
	NotManaged Standing = "NotManaged" // nothing was ever accepted here, or all is given back
	Ready      Standing = "Ready"      // everything that is required holds
	Degraded   Standing = "Degraded"   // something that is required does not hold
	Prepared   Standing = "Prepared"   // it is to be an image, and was not brought up itself
)

// StandingOf says how a host stands.
func StandingOf(s *hostops.Status) Standing {
	switch {
	case !s.Managed:
		return NotManaged
	case s.Prepared:
		return Prepared
	case len(Missing(&s.Report)) > 0:
		return Degraded
	default:
		return Ready
	}
}

// Missing are the results that do not hold: what a run would change counts, whatever it
// would do about it.
func Missing(r *item.Report) []item.Result {
	var out []item.Result
	for result := range r.All() {
		if !holds(result) {
			out = append(out, *result)
		}
	}
	return out
}

func holds(r *item.Result) bool {
	switch ClassOf(r) {
	case Change, Failure, Unknown:
		return false
	default:
		return true
	}
}

// Status shows what holds on a host and what is ours on it.
func Status(v View, s *hostops.Status) string {
	if StandingOf(s) == NotManaged {
		return v.notManaged(s)
	}
	t := layout.Table{Caps: []int{8, 46, 26, 20}, Floors: []int{6}}
	for _, e := range Fold(&s.Report, v.Profiles) {
		if s.Prepared && !holds(&e.Result) {
			v.later(&t, &e)
			continue
		}
		v.standing(&t, &e)
	}
	stopped(&t, &s.Report)
	return blocks(v.standingLine(s), t.Render(v.Painter), v.Warning(), v.owned(s))
}

func (v *View) notManaged(s *hostops.Status) string {
	text := v.Host + ": nothing is managed here"
	if s.Disabled {
		text += "; 'bootstrap down' was run, and nothing is repaired until the next 'bootstrap up'"
	}
	return layout.Paragraph(text+".", 2)
}

func (v *View) standingLine(s *hostops.Status) string {
	held, all := 0, 0
	for r := range s.Report.All() {
		if scaffold(r) || ClassOf(r) == Skipped || ClassOf(r) == Return {
			continue
		}
		all++
		if holds(r) {
			held++
		}
	}
	switch state := StandingOf(s); {
	case v.Quiet && state == Ready:
		return ""
	case state == Prepared:
		return v.preparedLine(held, all)
	}
	return layout.Paragraph(fmt.Sprintf("%s: %s. %d of %d hold. Repaired by: %s.", v.Host, StandingOf(s), held, all, repairer(s)), 2)
}

// repairer is who repairs this host now.
func repairer(s *hostops.Status) string {
	who := map[hostops.Keeper]string{hostops.Agent: "the agent", hostops.Resident: "hostprofile.service"}[s.Keeper]
	if who == "" {
		return "nobody"
	}
	_, pid, ok := strings.Cut(s.Note, ", pid ")
	if !ok {
		return who + " (" + s.Note + ")"
	}
	return who + " (pid " + pid + ")"
}

func (v *View) standing(t *layout.Table, e *Entry) {
	switch {
	case e.Class == Change || e.Class == Failure || e.Class == Unknown:
		t.Row(layout.Cell{Text: "FAILED", Colour: layout.Bad}, layout.Text(e.full()), layout.Text(e.wantHave()), layout.Text(string(e.Reason)))
		e.explain(t)
		if e.Drift {
			t.Note(1, layout.Text("changed by others since the last run"))
		}
	case e.Class == Return && !v.Quiet:
		t.Row(layout.Text("note"), layout.Text(e.full()), layout.Text("no profile wants it any more: the next 'bootstrap up' gives it back"))
	case e.Class == Warning:
		t.Row(layout.Cell{Text: "warning", Colour: layout.Mind}, layout.Text(e.full()), layout.Text(e.missed()))
		e.explain(t)
	case e.Class == Waiting && !v.Quiet:
		t.Row(layout.Text("note"), layout.Text(e.full()), layout.Text(e.Message))
	case e.Class == Skipped && v.Verbose:
		t.Row(e.doneWord(), layout.Text(e.full()), layout.Text(e.skipped()))
	case v.show(e):
		t.Row(e.doneWord(), layout.Text(e.full()), layout.Text(e.kept()))
	}
}

// wantHave is the difference between wish and finding.
func (e *Entry) wantHave() string {
	switch e.Key.Kind() {
	case item.Sysctl:
		return "want " + wanted(&e.Result) + ", have " + text(e.Have) + e.onLinks()
	case item.Module:
		return "not loaded"
	case item.Swap:
		return "in use"
	case item.File:
		return "want another content"
	case item.Program:
		return "another program than was installed"
	case item.Unit:
		return "boots do not start it"
	case item.NodeIP:
		return text(e.Have)
	default:
		return "want " + text(e.Want) + ", have " + text(e.Have)
	}
}

// owned says which profiles are in force and what is recorded.
func (v *View) owned(s *hostops.Status) string {
	if v.Quiet {
		return ""
	}
	settings, files := 0, 0
	for _, k := range s.Owned {
		if k.Kind() == item.File || k.Kind() == item.Dir || k.Kind() == item.Program || firewalld.IsZoneFile(k) {
			files++
		} else {
			settings++
		}
	}
	t := layout.Table{Caps: []int{9, 80}, Floors: []int{8}}
	if address := standingNodeIP(s.NodeIP); address != "" {
		t.Row(layout.Text("node IP"), layout.Text(address))
	}
	if word := bootWord(&s.Boot); word != "" {
		t.Row(layout.Text("boot"), layout.Text(word))
	}
	if len(s.Profiles) > 0 {
		t.Row(layout.Text("profiles"), layout.Text(strings.Join(s.Profiles, ", ")))
	}
	t.Row(layout.Text("owns"), layout.Text(fmt.Sprintf("%d %s, %d %s   (%s --dry-run)",
		settings, plural(settings, "setting", "settings"), files, plural(files, "file", "files"), v.down())))
	if s.Disabled {
		t.Row(layout.Text("disabled"), layout.Text("'bootstrap down' was begun; run it again, or run 'bootstrap up'"))
	}
	return t.Render(v.Painter)
}
