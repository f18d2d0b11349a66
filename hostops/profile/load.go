package profile

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// MaxFileSize is how large an input file may be, in bytes. The largest object that an API
// server stores is of the same order.
const MaxFileSize = 1 << 20

// Source is a named place to read profiles from.
type Source struct {
	// Name appears in messages; "-" is the standard input.
	Name string
	io.Reader
}

// Input is what all sources together said. It remembers where each profile was written,
// so that mistakes found later can still be shown in the file.
type Input struct {
	profiles []v1alpha1.HostProfile
	origins  map[string]*document // by name of the profile
}

// Load reads the HostProfiles of one file: YAML documents, or JSON. Reading is strict:
// what the API server, kubectl and this program might understand differently is refused
// rather than guessed.
//
// Bad input gives InputErrors with every mistake of the file, and no profile. Another
// error means that the file could not be read.
func Load(name string, r io.Reader) ([]v1alpha1.HostProfile, error) {
	input, err := Read(Source{Name: name, Reader: r})
	if err != nil {
		return nil, err
	}
	return input.Profiles(), nil
}

// Read reads the HostProfiles of several sources as Load does. A name may occur once in
// all of them. The order of the sources means nothing for what is applied.
func Read(sources ...Source) (*Input, error) {
	input := &Input{origins: map[string]*document{}}
	var errs InputErrors
	for _, source := range sources {
		text, err := io.ReadAll(io.LimitReader(source, MaxFileSize+1))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", displayName(source.Name), err)
		}
		errs = append(errs, input.add(source.Name, text)...)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return input, nil
}

// Profiles returns the profiles in the order in which they were read.
func (in *Input) Profiles() []v1alpha1.HostProfile { return slices.Clone(in.profiles) }

// Locate gives each mistake that names an object and a field the place where that is
// written, if it is known. It returns what it was given.
func (in *Input) Locate(errs InputErrors) InputErrors {
	for i, e := range errs {
		if doc, known := in.origins[e.Object]; known && e.Line == 0 {
			errs[i] = doc.located(e)
		}
	}
	return errs
}

// add takes the profiles of one file in, and returns the mistakes of that file.
func (in *Input) add(name string, text []byte) InputErrors {
	f := &file{name: name}
	if !f.open(text) {
		return f.errs
	}
	found := 0
	for _, doc := range f.documents() {
		if f.isFull() {
			break // a file of nothing but mistakes is not worth the time
		}
		if !doc.parse() {
			continue
		}
		found++
		if usable := doc.read(); in.claim(doc) && usable {
			in.profiles = append(in.profiles, doc.profile)
		}
	}
	if found == 0 && len(f.errs) == 0 {
		f.report(InputError{Reason: ReasonEmpty, Message: "the file holds no HostProfile", Hint: "see the ones that are built in: bootstrap profiles"})
	}
	return f.errs.inOrder()
}

// claim reserves the name of a profile, and reports one that an earlier profile has.
func (in *Input) claim(doc *document) bool {
	object := doc.object()
	if object == "" {
		return false
	}
	first, again := in.origins[object]
	if !again {
		in.origins[object] = doc
		return true
	}
	place := first.located(InputError{Field: "metadata.name"}).place()
	doc.report(InputError{Reason: ReasonDuplicateName, Field: "metadata.name", BadValue: doc.profile.Name,
		Message: object + " is in " + place + " already", Hint: "rename or remove one of them"})
	return false
}

// open checks what can be said without parsing.
func (f *file) open(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(text) > MaxFileSize:
		f.report(InputError{Reason: ReasonTooLarge, Message: fmt.Sprintf("the file is larger than %d KiB", MaxFileSize/1024), Hint: "split it; a profile has at most 256 sysctls"})
	case len(bytes.TrimSpace(text)) == 0:
		f.report(InputError{Reason: ReasonEmpty, Message: "the file is empty", Hint: "see the profiles that are built in: bootstrap profiles"})
	case !isText(text):
		f.report(InputError{Reason: ReasonNotYAML, Message: "the file is not UTF-8 text", Hint: "write a HostProfile in YAML"})
	case hasOddLineBreak(text):
		f.report(InputError{Reason: ReasonNotYAML, Message: "the file has a line break that is neither LF nor CRLF", Hint: "save it with the line breaks of Unix"})
	default:
		f.lines = bytes.Split(text, []byte("\n"))
		return true
	}
	return false
}
