package document

import (
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// APIVersion is the version of the envelope. It moves on its own, apart from that of the
// HostProfiles.
const APIVersion = "cli.hostprofile.io/v1"

// The kinds of documents.
const (
	Report      = "Report"      // plan, up, status, down, validate
	CheckReport = "CheckReport" // check
	ProfileList = "ProfileList" // profiles
	Version     = "Version"     // version
	Error       = "Error"       // nothing was done, and errors says why
)

// Result is what came of a run, in one word.
type Result string

// The results.
const (
	Converged Result = "Converged" // everything is as it should be, and nothing had to change
	Changed   Result = "Changed"   // something changed; in a dry run, would change
	Failed    Result = "Failed"    // something failed or does not hold
	Refused   Result = "Refused"   // nothing was done
)

// Document is the envelope. Every field but host is always there.
type Document struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Command    string      `json:"command"`
	Host       string      `json:"host,omitempty"`
	Result     Result      `json:"result"`
	ExitCode   exit.Code   `json:"exitCode"`
	Summary    any         `json:"summary"`
	Items      []any       `json:"items"`
	Warnings   []Message   `json:"warnings"`
	Errors     []Complaint `json:"errors"`
	// results become items when the document is written: most people read text.
	results [][]item.Result
}

// Message is something that a person should know and that is no failure.
type Message struct {
	Reason  string  `json:"reason,omitempty"`
	Key     string  `json:"key,omitempty"`
	Source  *Source `json:"source,omitempty"`
	Message string  `json:"message"`
	Fix     string  `json:"fix,omitempty"`
}

// Source is a place in a file of the host.
type Source struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

// At returns the place, nil if there is no file.
func At(file string, line int) *Source {
	if file == "" {
		return nil
	}
	return &Source{File: file, Line: line}
}

// New returns a document of a kind for a command.
func New(kind, command, host string) Document {
	return Document{
		APIVersion: APIVersion, Kind: kind, Command: command, Host: host,
		Result: Converged, Summary: struct{}{},
		Items: []any{}, Warnings: []Message{}, Errors: []Complaint{},
	}
}

// Tell adds results as items. It keeps the slice.
func (d *Document) Tell(results []item.Result) { d.results = append(d.results, results) }

// fill makes items of the results, and lists of what nobody began: readers need not know
// of null.
func (d *Document) fill() {
	for _, results := range d.results {
		for i := range results {
			d.Items = append(d.Items, OfResult(&results[i]))
		}
	}
	if d.Items == nil {
		d.Items = []any{}
	}
	if d.Warnings == nil {
		d.Warnings = []Message{}
	}
	if d.Errors == nil {
		d.Errors = []Complaint{}
	}
}
