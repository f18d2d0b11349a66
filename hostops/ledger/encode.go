package ledger

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// appendTo appends the ledger as it is after an update, with sorted entries, one a line: a
// person may have to read it. keys are those after the update.
func (p *page) appendTo(out []byte, update map[item.Key]*item.Entry, keys []item.Key) ([]byte, error) {
	h, err := json.Marshal(p.head)
	if err != nil {
		return nil, err
	}
	const usual = 320 // bytes of a record
	out = slices.Grow(out, len(h)+usual*len(keys))
	out = append(out, h[:len(h)-1]...)
	out = append(out, ",\"entries\":{"...)
	for i, key := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		e, updated := update[key]
		if !updated {
			e = p.entries[key]
		}
		if out, err = p.appendEntry(out, key, e); err != nil {
			return nil, err
		}
	}
	out = append(out, "\n}"...)
	if out, err = appendFields(out, p.rest); err != nil {
		return nil, err
	}
	return append(out, "}\n"...), nil
}

func (p *page) appendEntry(out []byte, key item.Key, e *item.Entry) ([]byte, error) {
	out = append(appendText(append(out, '\n'), string(key)), ':')
	out, err := appendFields(appendRecord(out, e), p.fields[key])
	return append(out, '}'), err
}

func appendFields(out []byte, fields map[string]json.RawMessage) ([]byte, error) {
	if len(fields) == 0 { // as nearly always
		return out, nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, ','), quoted...), ':'), fields[name]...)
	}
	return out, nil
}

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
	begin := len(out)
	out, _ = s.AppendText(append(out, '"')) // it has no error
	return quote(out, begin)
}

// appendText writes a JSON string.
func appendText(out []byte, s string) []byte {
	return quote(append(append(out, '"'), s...), len(out))
}

// quote ends the JSON string that begins at a quotation mark.
func quote(out []byte, begin int) []byte {
	text := out[begin+1:]
	if isPlain(text) {
		return append(out, '"')
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		return strconv.AppendQuoteToASCII(out[:begin], string(text))
	}
	return append(out[:begin], quoted...)
}

// isPlain reports whether a text stands in JSON as it is.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
