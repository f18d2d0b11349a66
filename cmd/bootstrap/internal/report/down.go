package report

import (
	"fmt"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

// brief is how many lines of a give-back are shown without -v.
const brief = 20

// Given is what Down adds to the view.
type Given struct {
	// Ours tells the values that we set, for settings that others changed since.
	Ours map[item.Key]item.State
	// Remains are what is still there of ours.
	Remains []string
	// Foreign is what a cluster may have left, and is left alone.
	Foreign []hostops.Foreign
}

// DownPlan shows what giving back would do.
func DownPlan(v View, r *item.Report, g Given) string {
	switch {
	case v.Quiet && v.given(r, g) == "":
		return v.Warning()
	case r.Len() == 0:
		return "Nothing to give back: nothing is recorded on this host.\n"
	}
	return v.ahead(r, g, "Would give back", " Nothing was written.\nRun: "+v.undo()+" --yes\n")
}

// Question shows what giving back will do, for somebody who is asked whether it shall.
func Question(v View, r *item.Report, g Given) string {
	if r.Len() == 0 {
		return "The record of " + v.Host + " is lost: our files will be removed, settings stay as they are.\n"
	}
	r.DryRun = true
	return v.ahead(r, g, "Will give back", "\n")
}

func (v *View) ahead(r *item.Report, g Given, will, closing string) string {
	count := Count(r)
	settings := count.Returned + count.Left + count.Failed + count.Warnings
	head := fmt.Sprintf("%s %d %s on %s:\n", will, settings, plural(settings, "setting", "settings"), v.Host)
	return blocks(head, v.given(r, g), v.Warning(), givenCount(&count, "restore", "delete")+"."+closing)
}

// Down shows what was given back, and what is left.
func Down(v View, r *item.Report, g Given) string {
	count := Count(r)
	switch {
	case v.Stopped:
		return blocks(v.given(r, g), v.Warning(), v.stop(r, givenCount(&count, "given back", "deleted")))
	case r.Len() == 0 && len(g.Remains) == 0:
		if v.Quiet {
			return ""
		}
		return fmt.Sprintf("Nothing to do: nothing of ours is on this host (%s).\n", took(v.Took))
	case v.Quiet && count.Failed == 0 && len(g.Remains) == 0:
		return v.Warning()
	}
	return blocks(v.given(r, g), v.Warning(), v.verified(&count, g))
}

func (v *View) given(r *item.Report, g Given) string {
	t := layout.Table{Caps: []int{8, 50, 24}, Floors: []int{7}}
	hidden := 0
	for i, e := range Fold(r, v.Profiles) {
		if !v.show(&e) && e.Class != Left && e.Class != Waiting {
			continue
		}
		if i >= brief && !v.Verbose && e.Class == Return {
			hidden++
			continue
		}
		e.give(&t, g, r.DryRun)
	}
	for _, f := range g.Foreign {
		t.Row(layout.Cell{Text: "foreign", Colour: layout.Mind}, layout.Text(f.What), layout.Text(f.Note))
	}
	stopped(&t, r)
	if hidden > 0 {
		t.Row(layout.Text(fmt.Sprintf("... %d more: -v", hidden)))
	}
	return t.Render(v.Painter)
}

func (e *Entry) give(t *layout.Table, g Given, dry bool) {
	switch e.Class {
	case Return:
		e.giveBack(t, dry)
	case Left:
		t.Row(layout.Cell{Text: "changed", Colour: layout.Mind}, layout.Text(e.full()), layout.Text(e.leaving(g)))
		e.explain(t)
	case Waiting:
		t.Row(layout.Cell{Text: "waiting", Colour: layout.Mind}, layout.Text(e.full()), layout.Text("cannot be seen now, stays recorded"))
		e.explain(t)
	default:
		t.Row(e.doneWord(), layout.Text(e.full()), layout.Text(string(e.Reason)))
		e.explain(t)
	}
}

// giveBack is the line of what is given back; beforehand, with what that takes from the
// host.
func (e *Entry) giveBack(t *layout.Table, dry bool) {
	if !dry {
		t.Row(layout.Text("ours"), layout.Text(e.full()), layout.Text(e.returned()))
		return
	}
	t.Row(layout.Text("ours"), layout.Text(e.full()), layout.Text(e.returning()))
	if note := loss(e.Key, e.Before); note != "" && e.Outcome == item.Restored {
		t.Note(1, layout.Cell{Text: note, Colour: layout.Mind})
	}
}

// leaving says what is found in place of what we set.
func (e *Entry) leaving(g Given) string {
	ours, known := g.Ours[e.Key]
	if !known || !e.Have.Known() || e.Key.Kind() != item.Sysctl {
		return "left as found"
	}
	return fmt.Sprintf("%s, we set %s: left as found", text(e.Have), text(ours))
}

// returning is what giving back would do to an entry.
func (e *Entry) returning() string {
	switch {
	case e.Outcome == item.Released && e.ofNextBoot():
		return "not at boot any more"
	case e.Key.Kind() == item.Module && e.Have.Present():
		return "stays loaded until the next boot"
	case e.Key.Kind() == item.Module:
		return "is not loaded"
	case e.Key.Kind() == item.Mount:
		return "stays " + text(e.Have) + " until the next boot"
	case e.Key.Kind() == item.File && e.Before == item.Absent, e.Key.Kind() == item.File && !e.Before.Known():
		return "delete"
	case e.Key.Kind() == item.Dir && e.Before == item.Absent:
		return "remove, if it is empty"
	case e.Key.Kind() == item.Swap:
		return "on again"
	case e.Key.Kind() == item.Program:
		return "delete"
	case e.Key.Kind() == item.Unit:
		return unitWord(item.Absent)
	case e.Key == selinux.Labels:
		return "go with their files"
	case e.Key.Kind() == item.SELinux:
		return selinuxWord(e.Have, e.Before)
	case e.ownPath() != "":
		return "as it was"
	case e.Key.Kind() == item.Firewalld && e.Outcome == item.Restored:
		return "take out"
	case e.Outcome == item.Released && e.Have.Known():
		return text(e.Have) + ", stays" + e.onLinks()
	case e.Outcome == item.Released:
		return "nothing to write"
	default:
		return text(e.Have) + " -> " + text(e.Before) + e.onLinks()
	}
}

// returned is what giving back did.
func (e *Entry) returned() string {
	switch e.Key.Kind() {
	case item.File, item.Program:
		return "deleted"
	case item.Unit:
		return "disabled, stopped"
	case item.Dir:
		if e.Before != item.Absent {
			return e.returning()
		}
		return "removed"
	case item.Swap:
		return "on again"
	case item.Firewalld:
		if e.ownPath() == "" {
			return "taken out"
		}
		return "as it was"
	default:
		return e.returning()
	}
}

func givenCount(t *Tally, restore, remove string) string {
	return counted(t.Returned, restore, t.Files, remove, t.Left, "left as found", t.Waiting, "waiting", t.Warnings, plural(t.Warnings, "warning", "warnings"), t.Failed, "failed")
}

func (v *View) verified(t *Tally, g Given) string {
	if t.Failed > 0 || len(g.Remains) > 0 {
		return remaining(t, g)
	}
	count := givenCount(t, "given back", "deleted")
	if count == "" {
		count = "nothing was left to give back"
	}
	return layout.Paragraph(fmt.Sprintf("Verified: %s, 0 of ours remain (%s). Again: nothing to do.", count, took(v.Took)), 0)
}

// remaining is the closing of a run that did not give everything back, and what helps.
func remaining(t *Tally, g Given) string {
	n := len(g.Remains)
	text := fmt.Sprintf("%d of ours %s.", n, plural(n, "remains", "remain"))
	if count := givenCount(t, "given back", "deleted"); count != "" {
		text = count + ", " + text
	}
	text = "Failed: " + text
	for _, path := range g.Remains {
		text += "\n  " + layout.Printable(path)
	}
	if t.Failed+t.Waiting == 0 {
		return text + "\nNo record names it any more: remove it by hand, then run this again.\n"
	}
	return text + "\nRun it again after the fix.\n"
}
