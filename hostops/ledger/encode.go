package ledger

import (
	"encoding/json"
	"strconv"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// appendRecord writes a record as encoding/json would, without its closing brace. A run
// writes every record twice, and this is what makes a thousand of them cheap.
func appendRecord(out []byte, e *item.Entry) []byte {
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
		return out
	}
	return append(appendOwner(append(out, `,"owner":{`...), e.Owner), '}')
}

func appendOwner(out []byte, o item.Source) []byte {
	out = appendOptional(out, `"profile":`, o.Profile)
	if o.Generation == 0 {
		return out
	}
	if o.Profile != "" {
		out = append(out, ',')
	}
	return strconv.AppendInt(append(out, `"generation":`...), o.Generation, 10)
}

func appendOptional(out []byte, name, value string) []byte {
	if value == "" {
		return out
	}
	return appendText(append(out, name...), value)
}

func appendState(out []byte, s item.State) []byte {
	text, _ := s.MarshalText() // it has no error
	return appendText(out, text)
}

// appendText writes a JSON string.
func appendText[T string | []byte](out []byte, s T) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(string(s))
			if err != nil {
				return strconv.AppendQuoteToASCII(out, string(s))
			}
			return append(out, quoted...)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}
