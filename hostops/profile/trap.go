package profile

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// what is how YAML readers understand a plain scalar. The readers do not agree with each
// other (kubectl, Ansible and this program use three), so everything but plain text and
// plain decimal integers is a trap.
type what int

const (
	text what = iota
	integer
	nothing
	boolean
	otherNumber // a number in a notation that means different things to different people
	tooLarge    // an integer that the API server cannot hold as a number
	otherType   // a date, a time and the like
)

// trap is what becomes of a plain scalar.
type trap struct {
	what
	message string // what YAML makes of it
	instead string // the plain text to write for what it means, if that is known
}

var (
	plusText       = pattern(`^\+[0-9]+$`)
	oldOctalText   = pattern(`^[-+]?0[0-7]+$`)
	leadingZero    = pattern(`^[-+]?0[0-9]+$`)
	newOctalText   = pattern(`^[-+]?0o[0-7]+$`)
	hexText        = pattern(`^[-+]?0[xX][0-9a-fA-F]+$`)
	binaryText     = pattern(`^[-+]?0b[01]+$`)
	underscoreText = pattern(`^[-+]?[0-9][0-9a-fA-Fxob_]*_[0-9a-fA-F_]*$`)
	floatText      = pattern(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	specialText    = pattern(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	base60Text     = pattern(`^[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?$`)
	dateText       = pattern(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?$`)
)

// pattern compiles an expression when it is first asked for: most runs ask for none.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// trapOf says how YAML readers understand a plain scalar.
func trapOf(s string) trap {
	switch strings.ToLower(s) {
	case "", "~", "null":
		return trap{what: nothing, message: "is nothing in YAML"}
	case "true", "yes", "on", "y":
		return trap{what: boolean, message: "is a boolean in YAML", instead: "1"}
	case "false", "no", "off", "n":
		return trap{what: boolean, message: "is a boolean in YAML", instead: "0"}
	}
	switch {
	case !strings.ContainsRune("0123456789+-.", rune(s[0])):
		return trap{what: text} // no number begins like this
	case isDecimal(s):
		return decimalTrap(s)
	case dateText().MatchString(s):
		return trap{what: otherType, message: "is a date in YAML"}
	case base60Text().MatchString(s):
		return trap{what: otherType, message: "is a number of base 60 to some YAML readers"}
	}
	return numberTrap(s)
}

// isDecimal reports whether a text is an integer as people write it.
func isDecimal(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits == "0" || digits != "" && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
}

func decimalTrap(s string) trap {
	if _, err := strconv.ParseInt(s, 10, 64); err != nil {
		return trap{what: tooLarge, message: "is too large for a number of the API server"}
	}
	return trap{what: integer}
}

// numberTrap is about the notations in which 010 is 8 and 1e3 is a float.
func numberTrap(s string) trap {
	t := trap{what: otherNumber}
	switch {
	case oldOctalText().MatchString(s):
		t.message, t.instead = meaning("octal", s, 8)
	case leadingZero().MatchString(s):
		t.message, t.instead = "is a number to some YAML readers and text to others", trimZeros(s)
	case newOctalText().MatchString(s):
		t.message, t.instead = meaning("octal", strings.Replace(s, "0o", "", 1), 8)
	case hexText().MatchString(s):
		t.message, t.instead = meaning("hexadecimal", strings.Replace(strings.ToLower(s), "0x", "", 1), 16)
	case binaryText().MatchString(s):
		t.message, t.instead = meaning("binary", strings.Replace(s, "0b", "", 1), 2)
	case underscoreText().MatchString(s):
		t.message, t.instead = "is a number to some YAML readers and text to others", plainDecimal(strings.ReplaceAll(s, "_", ""))
	case plusText().MatchString(s):
		t.message, t.instead = "has a plus sign, which YAML drops", plainDecimal(s[1:])
	case floatText().MatchString(s), specialText().MatchString(s):
		t.message, t.instead = "is a floating-point number in YAML", wholeNumber(s)
	default:
		return trap{what: text}
	}
	return t
}

// meaning says what a number of another base is in decimal.
func meaning(notation, digits string, base int) (message, instead string) {
	n, ok := new(big.Int).SetString(strings.TrimPrefix(digits, "+"), base)
	if !ok || n.BitLen() > 64 {
		return "is " + notation + " in YAML", ""
	}
	return "is " + notation + " in YAML and means " + n.String(), n.String()
}

// trimZeros writes a number without the zeros in front.
func trimZeros(s string) string { return plainDecimal(strings.TrimPrefix(s, "+")) }

// plainDecimal writes digits as the integer they are in decimal, if it is one of 64 bits.
func plainDecimal(s string) string {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || n.BitLen() > 64 {
		return ""
	}
	return n.String()
}

// wholeNumber writes a floating-point number as integer, if it is one of 64 bits.
func wholeNumber(s string) string {
	const longest = 32 // what is longer has an exponent that is not worth the arithmetic
	if len(s) > longest || specialText().MatchString(s) {
		return ""
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < -1e19 || f > 1e19 {
		return ""
	}
	if n, accuracy := big.NewFloat(f).Int(nil); accuracy == big.Exact && n.BitLen() <= 64 {
		return n.String()
	}
	return ""
}
