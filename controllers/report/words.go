package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// wanted is a wish in words: "1", "at least 8192"; swap has words of its own.
func wanted(r *item.Result) string {
	switch r.Compare {
	case item.AtLeast:
		return "at least " + shown(r.Want)
	case item.AtMost:
		return "at most " + shown(r.Want)
	default:
		return shown(r.Want)
	}
}

func shown(s item.State) string {
	switch {
	case s == item.Absent:
		return "absent"
	case s.Present() && s.Text() == "":
		return `""`
	default:
		return s.Text()
	}
}

// bound cuts texts to what the API takes, and makes them one line.
func (f *finding) bound() {
	f.Key = cut(f.Key, v1alpha1.MaxKeyLength)
	f.Want, f.Have = cut(f.Want, v1alpha1.MaxShownValueLength), cut(f.Have, v1alpha1.MaxShownValueLength)
	f.Message = cut(f.Message, v1alpha1.MaxMessageLength)
	if f.Source != nil {
		s := *f.Source
		s.File = cut(s.File, 256)
		f.Source = &s
	}
}

// cut returns at most n bytes of a text, in one line and of whole characters that can be
// printed: the API server reads what is applied as YAML, of which others can be no part.
func cut(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.Map(printed, strings.ToValidUTF8(text, "?"))
	if len(text) <= n {
		return text
	}
	end := n - len("...")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

func printed(r rune) rune {
	if !unicode.IsPrint(r) {
		return '?'
	}
	return r
}

// name is what a finding is about.
func (f *finding) name() string {
	if k := item.Key(f.Key); k.Kind() != item.NodeIP {
		return k.Name()
	}
	return "node IP"
}

// brief is a finding in a few words: "net.ipv4.ip_forward 0, want 1".
func (f *finding) brief() string {
	name := f.name()
	switch {
	case f.section == "":
		return f.Message
	case f.Have != "" && f.Want != "" && f.Have != f.Want:
		return name + " " + f.Have + ", want " + f.Want
	case f.Want != "" && f.Have == "":
		return name + ": " + f.Message
	default:
		return name + " " + string(f.Reason)
	}
}

// text is a finding as a condition tells it.
func (f *finding) text() string {
	if f.section == "" {
		return cut(f.Message, v1alpha1.MaxMessageLength)
	}
	text := f.name()
	if f.Have != "" && f.Want != "" && f.Have != f.Want {
		text = text + " is " + f.Have + ", want " + f.Want
	}
	if f.Message != "" {
		text += ": " + f.Message
	}
	return cut(text, v1alpha1.MaxMessageLength)
}
