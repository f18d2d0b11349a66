package report

import (
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops"
)

// Check shows whether a host will do.
func Check(v View, results []hostops.CheckResult, asked bool) string {
	t := layout.Table{Caps: []int{4, 14, 76}, Floors: []int{4, 8}}
	for i := range results {
		if r := &results[i]; !v.Quiet || r.Outcome == hostops.CheckFail || r.Outcome == hostops.CheckWarn {
			v.checked(&t, r)
		}
	}
	hint := ""
	if !asked && !v.Quiet {
		hint = "No profile was named. To check for Kubernetes: bootstrap check --profile kubernetes\n"
	}
	return blocks(t.Render(v.Painter), v.checkClosing(results)+hint)
}

func (v *View) checked(t *layout.Table, r *hostops.CheckResult) {
	section, _, _ := strings.Cut(r.ID, ".")
	if section == "sysctl" {
		section = r.ID // sysctl.d
	}
	t.Row(checkWord(r.Outcome), layout.Text(section), layout.Text(r.Message))
	if r.Fix != "" && r.Outcome != hostops.CheckOK {
		t.Row(layout.Text(""), layout.Text(""), layout.Text(r.Fix))
	}
}

func checkWord(o hostops.CheckOutcome) layout.Cell {
	switch o {
	case hostops.CheckFail:
		return layout.Cell{Text: "FAIL", Colour: layout.Bad}
	case hostops.CheckWarn:
		return layout.Cell{Text: "warn", Colour: layout.Mind}
	case hostops.CheckOK:
		return layout.Cell{Text: "ok", Colour: layout.Good}
	default:
		return layout.Text(string(o))
	}
}

// CheckTally counts the outcomes of a check.
type CheckTally struct {
	OK       int      `json:"ok"`
	Info     int      `json:"info"`
	Warnings int      `json:"warnings"`
	Failed   int      `json:"failed"`
	Mended   []string `json:"mendedByUp"` // the sections that up puts right
}

// CountChecks counts the outcomes.
func CountChecks(results []hostops.CheckResult) CheckTally {
	t := CheckTally{Mended: []string{}}
	for i := range results {
		switch results[i].Outcome {
		case hostops.CheckOK:
			t.OK++
		case hostops.CheckInfo:
			t.Info++
		case hostops.CheckWarn:
			t.Warnings++
		default:
			t.Failed++
		}
		section, _, _ := strings.Cut(results[i].ID, ".")
		if results[i].MendedByUp && results[i].Outcome != hostops.CheckOK && !slices.Contains(t.Mended, section) {
			t.Mended = append(t.Mended, section)
		}
	}
	return t
}

func (v *View) checkClosing(results []hostops.CheckResult) string {
	t := CountChecks(results)
	if v.Quiet && t.Failed+t.Warnings == 0 {
		return ""
	}
	text := counted(t.Failed, "failed", t.Warnings, plural(t.Warnings, "warning", "warnings"))
	if text == "" {
		text = "Nothing stands against it"
	}
	text += "."
	if len(t.Mended) > 0 {
		text += " 'bootstrap up' will mend: " + strings.Join(t.Mended, ", ") + "."
	}
	return layout.Paragraph(text, 0)
}

// Floor are the warnings about what of the floor a run does not refuse.
func Floor(results []hostops.CheckResult) []document.Message {
	var out []document.Message
	for i := range results {
		r := &results[i]
		out = append(out, document.Message{Reason: string(r.Reason), Key: r.ID, Message: r.Message, Fix: r.Fix})
	}
	return out
}

// checkItem is a check in the document.
type checkItem struct {
	ID         string               `json:"id"`
	Outcome    hostops.CheckOutcome `json:"outcome"`
	Required   bool                 `json:"required"`
	MendedByUp bool                 `json:"mendedByUp"`
	Reason     string               `json:"reason,omitempty"`
	Message    string               `json:"message"`
	Fix        string               `json:"fix,omitempty"`
	Source     *document.Source     `json:"source,omitempty"`
}

// OfCheck is the document of a check. It fails only for what is required and what up will
// not mend: otherwise no first installation would pass.
func OfCheck(v View, results []hostops.CheckResult) document.Document {
	d := document.New(document.CheckReport, "check", v.Host)
	d.Summary = CountChecks(results)
	for i := range results {
		r := &results[i]
		d.Items = append(d.Items, checkItem{
			ID: r.ID, Outcome: r.Outcome, Required: r.Required, MendedByUp: r.MendedByUp,
			Reason: string(r.Reason), Message: r.Message, Fix: r.Fix, Source: document.At(r.File, r.Line),
		})
		switch {
		case r.Stops():
			d.Result, d.ExitCode = document.Failed, exit.Failed
			d.Errors = append(d.Errors, document.Complaint{
				Reason: string(r.Reason), Object: "check/" + r.ID, File: r.File, Line: r.Line, Message: r.Message, Hint: r.Fix,
			})
		case r.Outcome == hostops.CheckWarn:
			d.Warnings = append(d.Warnings, document.Message{
				Reason: string(r.Reason), Key: r.ID, Source: document.At(r.File, r.Line), Message: r.Message, Fix: r.Fix,
			})
		}
	}
	return d
}
