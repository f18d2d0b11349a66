package profile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// Reasons of bad input, next to v1alpha1.ReasonInvalidValue. They are words for programs
// and part of the contract of the commands' JSON output.
const (
	ReasonEmpty         v1alpha1.Reason = "Empty"         // the input holds no profile
	ReasonTooLarge      v1alpha1.Reason = "TooLarge"      // the file exceeds MaxFileSize
	ReasonNotYAML       v1alpha1.Reason = "NotYAML"       // the text cannot be parsed
	ReasonWrongKind     v1alpha1.Reason = "WrongKind"     // a document of another kind or version
	ReasonWrongType     v1alpha1.Reason = "WrongType"     // a list where a mapping belongs, and the like
	ReasonUnknownField  v1alpha1.Reason = "UnknownField"  // no field has this name
	ReasonMissingField  v1alpha1.Reason = "MissingField"  // a required field is absent
	ReasonDuplicateName v1alpha1.Reason = "DuplicateName" // a name that may be there once is there twice
	ReasonRefused       v1alpha1.Reason = "Refused"       // a setting that no profile may have
	ReasonNeedsLabels   v1alpha1.Reason = "NeedsLabels"   // a selector without labels to match
)

// InputError is one mistake in the input. What is unknown or does not apply is zero, and
// absent in JSON.
type InputError struct {
	Reason v1alpha1.Reason `json:"reason"`
	// File is the name that Load was given; "-" is the standard input.
	File string `json:"file,omitempty"`
	// Line and Column count from 1; Column counts characters.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Document counts the documents of the file from 1.
	Document int `json:"document,omitempty"`
	// Object is kind and name, for example HostProfile/site-workers.
	Object string `json:"object,omitempty"`
	// Field is the path of the field, for example spec.sysctls[2].value.
	Field string `json:"field,omitempty"`
	// BadValue is what is written there, cut when it is long.
	BadValue string `json:"badValue,omitempty"`
	Message  string `json:"message"`
	// Hint says what to do.
	Hint string `json:"hint,omitempty"`

	source string // the line of the file
	width  int    // how many characters are wrong, from Column on
}

// InputErrors is the error of bad input: every mistake that was found, in the order of
// the input.
type InputErrors []InputError

// Error lists the mistakes, one per line.
func (errs InputErrors) Error() string {
	lines := make([]string, len(errs))
	for i, e := range errs {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Error is the mistake in one line.
func (e InputError) Error() string {
	line := e.headline()
	if e.Hint != "" {
		line += "; " + printable(e.Hint)
	}
	return line
}

// headline is the mistake without its hint: "site.yaml:9:53: spec.swap: must be ...".
func (e InputError) headline() string {
	var parts []string
	if place := e.place(); place != "" {
		parts = append(parts, place)
	}
	if e.Line == 0 && e.Object != "" {
		parts = append(parts, e.Object)
	}
	if e.Field != "" {
		parts = append(parts, printable(e.Field))
	}
	return strings.Join(append(parts, printable(e.Message)), ": ")
}

// place is file, line and column, as far as they are known, in the form that editors and
// terminals make a link of.
func (e InputError) place() string {
	if e.File == "" {
		return ""
	}
	place := displayName(e.File)
	for _, n := range []int{e.Line, e.Column} {
		if n == 0 {
			break
		}
		place += ":" + strconv.Itoa(n)
	}
	return place
}

func displayName(file string) string {
	if file == "-" {
		return "stdin"
	}
	return printable(file)
}

// inOrder sorts the mistakes of one file the way they stand in it.
func (errs InputErrors) inOrder() InputErrors {
	slices.SortStableFunc(errs, func(a, b InputError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return errs
}
