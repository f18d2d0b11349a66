package document

import (
	"encoding/json"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Item is what became, or would become, of one setting. have, want and before are absent
// if they are not known, and null for something that is not there.
type Item struct {
	Key     string `json:"key"`
	Outcome string `json:"outcome"`
	Have    any    `json:"have,omitempty"`
	Want    any    `json:"want,omitempty"`
	// Compare says how want is meant, if not exactly: AtLeast or AtMost.
	Compare  string  `json:"compare,omitempty"`
	Before   any     `json:"before,omitempty"`
	Profile  string  `json:"profile,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	Severity string  `json:"severity,omitempty"`
	Source   *Source `json:"source,omitempty"`
	Message  string  `json:"message,omitempty"`
	Fix      string  `json:"fix,omitempty"`
}

// OfResult returns the item of a result.
func OfResult(r *item.Result) Item {
	fix := r.Fix
	if r.Outcome == item.Skipped {
		fix = "" // nothing is wrong
	}
	return Item{
		Key: string(r.Key), Outcome: string(r.Outcome),
		Have: value(r.Have), Want: value(r.Want), Compare: compare(r.Compare), Before: value(r.Before),
		Profile: r.Source.Profile, Reason: string(r.Reason), Severity: severity(r),
		Source: At(r.File, r.Line), Message: r.Message, Fix: fix,
	}
}

func value(s item.State) any {
	switch {
	case s.Present():
		return s.Text()
	case s.Known():
		return json.RawMessage("null")
	default:
		return nil
	}
}

func compare(c item.Compare) string {
	switch c {
	case item.AtLeast:
		return string(v1alpha1.AtLeast)
	case item.AtMost:
		return string(v1alpha1.AtMost)
	default:
		return ""
	}
}

// severity is that of the reason; what a profile allows to be missing is fine.
func severity(r *item.Result) string {
	switch {
	case r.Reason == "":
		return ""
	case r.Outcome == item.Skipped:
		return string(v1alpha1.SeverityFine)
	}
	info, known := v1alpha1.LookUpReason(v1alpha1.Reason(r.Reason))
	if !known {
		return string(v1alpha1.SeverityError)
	}
	return string(info.Severity)
}
