package input

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// Request is what a command line names. The order of its parts means nothing.
type Request struct {
	Files    []string // "-" is the standard input
	Builtins []string // names or aliases of built-in profiles
	Stdin    io.Reader
}

// Empty reports whether nothing is named.
func (r Request) Empty() bool { return len(r.Files)+len(r.Builtins) == 0 }

// Read reads all that is named. The error is profile.InputErrors or an *exit.Failure.
func (r Request) Read() (*profile.Input, error) {
	sources, err := r.builtins()
	if err != nil {
		return nil, err
	}
	for i, name := range r.Files {
		if slices.Contains(r.Files[:i], name) {
			return nil, exit.BadUsage(fmt.Sprintf("-f %s is given twice", name), "name each file once")
		}
		if name == "-" {
			sources = append(sources, profile.Source{Name: name, Reader: r.Stdin})
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, unreadable(name, err)
		}
		defer func() { _ = file.Close() }() // it was only read
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, folder(name)
		}
		sources = append(sources, profile.Source{Name: name, Reader: file})
	}
	in, err := profile.Read(sources...)
	var wrong profile.InputErrors
	if err != nil && !asInput(err, &wrong) {
		return nil, unreadable("", err)
	}
	return in, err
}

// unreadable is a file that cannot be read, which is a mistake of the command line.
func unreadable(name string, err error) error {
	f := exit.BadUsage(err.Error(), "")
	f.Reason, f.Err = "Unreadable", err
	if name != "" {
		f.Input = profile.InputErrors{{Reason: "Unreadable", File: name, Message: cause(err)}}
	}
	return f
}

// folder is one in the place of a file.
func folder(name string) error {
	f := exit.BadUsage(name+" is a folder", "")
	f.Reason = "Unreadable"
	f.Input = profile.InputErrors{{Reason: "Unreadable", File: name, Message: "is a folder", Hint: "name its files, each with -f"}}
	return f
}

func (r Request) builtins() ([]profile.Source, error) {
	var sources []profile.Source
	seen := map[string]bool{}
	for _, name := range r.Builtins {
		b, known := profiles.Get(name)
		if !known {
			return nil, Unknown(name)
		}
		if !seen[b.Name] {
			seen[b.Name] = true
			sources = append(sources, profile.Source{Name: "built-in " + b.Name, Reader: bytes.NewReader(b.YAML)})
		}
	}
	return sources, nil
}

// Unknown is the failure for a name that no built-in profile has.
func Unknown(name string) error {
	f := exit.BadUsage(fmt.Sprintf("unknown profile '%s'", name), "these are built in: bootstrap profiles; your own files: -f FILE")
	f.Reason = "UnknownProfile"
	if near, ok := profile.Nearest(name, profiles.Names()); ok {
		f.Message += ": did you mean " + near + "?"
	}
	return f
}
