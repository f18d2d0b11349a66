package ledger

import (
	"encoding/json"
	"strconv"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// appendRecord writes a record as encoding/json would, without its closing brace. A run
// writes every record twice, and this is what makes a thousand of them cheap.
func appendRecord(out []byte, e *item.Entry) ([]byte, error) {
	out = appendState(append(out, `{"before":`...), e.Before)
	if e.Alt != nil {
		out = appendState(append(out, `,"alt":`...), *e.Alt)
	}
	out = append(out, `,"ours":[`...)
	for i, s := range e.Ours {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendState(out, s)
	}
	out = appendState(append(out, `],"target":`...), e.Target)
	out = appendState(append(out, `,"settled":`...), e.Settled)
	out = appendText(append(out, `,"phase":`...), string(e.Phase))
	out = appendOptional(out, `,"epoch":`, e.Epoch)
	out = appendOptional(out, `,"delisted":`, e.Delisted)
	out = appendOptional(out, `,"follows":`, string(e.Follows))
	if e.Owner == (item.Source{}) {
		return out, nil
	}
	owner, err := json.Marshal(e.Owner)
	if err != nil {
		return nil, err
	}
	return append(append(out, `,"owner":`...), owner...), nil
}

func appendOptional(out []byte, name, value string) []byte {
	if value == "" {
		return out
	}
	return appendText(append(out, name...), value)
}

func appendState(out []byte, s item.State) []byte {
	text, _ := s.MarshalText() // it has no error
	return appendText(out, string(text))
}

// appendText writes a JSON string.
func appendText(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				return strconv.AppendQuoteToASCII(out, s)
			}
			return append(out, quoted...)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}
