package document

import (
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// Complaint is one reason why a run did not end well. A mistake in the input has its
// place in the file and the field; what does not apply is absent.
type Complaint struct {
	Reason   string `json:"reason,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Document int    `json:"document,omitempty"`
	Object   string `json:"object,omitempty"`
	Field    string `json:"field,omitempty"`
	BadValue string `json:"badValue,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// Fail makes the document tell how the run ended. What it holds already stays: it was
// done before.
func (d *Document) Fail(f *exit.Failure) {
	d.ExitCode = f.Code
	d.Result = Failed
	if f.Code.Untouched() {
		d.Result = Refused
	}
	d.Errors = append(d.Errors, complaints(f)...)
}

func complaints(f *exit.Failure) []Complaint {
	if len(f.Input) == 0 {
		return []Complaint{{Reason: f.Reason, Message: f.Message, Hint: f.Fix}}
	}
	out := make([]Complaint, len(f.Input))
	for i, e := range f.Input {
		out[i] = ofInput(e)
	}
	return out
}

func ofInput(e profile.InputError) Complaint {
	return Complaint{
		Reason: string(e.Reason), File: e.File, Line: e.Line, Column: e.Column, Document: e.Document,
		Object: e.Object, Field: e.Field, BadValue: e.BadValue, Message: e.Message, Hint: e.Hint,
	}
}
