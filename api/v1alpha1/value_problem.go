package v1alpha1

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"sync"
)

// MaxValue is the length in bytes that a value may have.
const MaxValue = 1024

// textProblem says what is wrong with the characters of a value, whatever the setting, or
// nothing. Values go through files of several formats and through other programs' parsers,
// so everything that means something in one of those is refused.
func textProblem(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "is empty; write the value, or remove the entry"
	case len(text) > MaxValue:
		return fmt.Sprintf("has at most %d characters, not %d", MaxValue, len(text))
	case strings.ContainsAny(text, "\n\r"):
		return "must be one line; remove the line break"
	case strings.Contains(text, "\t"):
		return "holds a tab; separate fields by blanks"
	case strings.Trim(text, " ") != text:
		return "begins or ends with a blank; remove it"
	case strings.ContainsAny(text[:1]+text[len(text)-1:], `"'`):
		return "begins or ends with a quote, which the kernel would take for part of it; write it without"
	}
	for _, r := range text {
		if r < ' ' || r > '~' {
			return fmt.Sprintf("holds the character %U; write printable ASCII", r)
		}
	}
	return notationProblem(text)
}

// notationProblem says why a number is in a notation that the kernel does not read, or
// names a character that has a meaning in the files of other programs.
func notationProblem(text string) string {
	switch {
	case consistsOf(text, digits): // as most values do
	case exponentText().MatchString(text):
		return "has an exponent; write " + plainNumber(text)
	case underscoreText().MatchString(text):
		return "has underscores in a number; write " + strings.ReplaceAll(text, "_", "")
	case newOctalText().MatchString(text):
		return "is a notation that the kernel does not read; write a plain decimal number"
	}
	if i := strings.IndexAny(text, "+;#"); i >= 0 {
		return fmt.Sprintf("holds %q, which has a meaning in files of other programs; write it without", text[i])
	}
	return ""
}

var (
	exponentText   = pattern(`^[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$`)
	underscoreText = pattern(`^[-+]?[0-9]+(_[0-9]+)+$`)
	newOctalText   = pattern(`^0o[0-7]+$`)
)

// pattern compiles an expression when it is first asked for: most runs ask for none.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// plainNumber writes a number with an exponent as integer, when it is one of 64 bits.
func plainNumber(text string) string {
	const most = 24 // "-1.7976931348623157e+308" is longer than anything that fits
	if n, ok := new(big.Float).SetPrec(128).SetString(text); ok && len(text) <= most && n.IsInt() {
		if whole, _ := n.Int(nil); whole.IsUint64() || whole.IsInt64() {
			return whole.String()
		}
	}
	return "a plain integer"
}
