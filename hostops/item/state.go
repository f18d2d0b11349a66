package item

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// State is the canonical text state of an item. It is comparable: two states are
// the same setting exactly if they are equal. The zero State is Unknown.
type State struct {
	form form
	text string
}

type form uint8

const (
	unknown form = iota
	absent
	present
)

// Unknown means that the item cannot be observed now, or that nobody recorded it.
var Unknown = State{}

// Absent means that the item was looked for and is not there.
var Absent = State{form: absent}

// Text returns the state of an item that is there and reads as text. Text("") is an
// item that is there and empty: neither Absent nor Unknown.
func Text(text string) State { return State{form: present, text: text} }

// Known reports whether the item could be observed, absent included.
func (s State) Known() bool { return s.form != unknown }

// Present reports whether the item is there.
func (s State) Present() bool { return s.form == present }

// Text returns the canonical text, empty if the item is absent or unknown.
func (s State) Text() string { return s.text }

// String is for people: the text, or a word in parentheses.
func (s State) String() string {
	switch s.form {
	case present:
		return s.text
	case absent:
		return "(absent)"
	default:
		return "(unknown)"
	}
}

// coded begins the form of a text that is no UTF-8: a ledger is, and what was found must be
// given back byte for byte.
const coded = "base64="

// MarshalText writes the form that the ledger stores: "=text", "base64=text", "absent" or
// "unknown".
func (s State) MarshalText() ([]byte, error) { return s.AppendText(nil) }

// AppendText appends what MarshalText returns.
func (s State) AppendText(b []byte) ([]byte, error) {
	switch {
	case s.form == present && !utf8.ValidString(s.text):
		return base64.StdEncoding.AppendEncode(append(b, coded...), []byte(s.text)), nil
	case s.form == present:
		return append(append(b, '='), s.text...), nil
	case s.form == absent:
		return append(b, "absent"...), nil
	default:
		return append(b, "unknown"...), nil
	}
}

// UnmarshalText reads what MarshalText wrote and refuses everything else.
func (s *State) UnmarshalText(b []byte) error {
	switch text := string(b); {
	case len(text) > 0 && text[0] == '=':
		*s = Text(text[1:])
	case strings.HasPrefix(text, coded):
		b, err := base64.StdEncoding.DecodeString(text[len(coded):])
		if err != nil {
			return fmt.Errorf("state %q: %w", text, err)
		}
		*s = Text(string(b))
	case text == "absent":
		*s = Absent
	case text == "unknown":
		*s = Unknown
	default:
		return fmt.Errorf("state %q is none of =text, base64=text, absent, unknown", text)
	}
	return nil
}
