package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Colour is how a cell stands out. Text must be understood without it.
type Colour string

// The colours, by what they say.
const (
	Plain Colour = ""
	Good  Colour = "32"
	Bad   Colour = "31"
	Mind  Colour = "33"
	Faint Colour = "2"
	Bold  Colour = "1"
)

// Cell is one piece of text in a row.
type Cell struct {
	Text   string
	Colour Colour
}

// Text returns a plain cell.
func Text(s string) Cell { return Cell{Text: s} }

// Painter gives text its colours, or leaves it plain.
type Painter bool

// Paint returns the text in a colour.
func (p Painter) Paint(c Colour, text string) string {
	if !bool(p) || c == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// Printable replaces everything that could move the cursor or change the colours of a
// terminal. The number of characters stays the same.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return utf8.RuneError
	}, text)
}

// Cut shortens a text to a number of characters.
func Cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-3]) + "..."
}

func width(s string) int { return utf8.RuneCountInString(s) }
