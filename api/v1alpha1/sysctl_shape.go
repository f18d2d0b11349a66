package v1alpha1

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// shape is what the kernel wants to read in a setting: one integer, several integers, one
// word or a bit mask. Only what holds on every supported kernel is a shape: a value that
// some kernel accepts is never refused here.
type shape struct {
	fields  []string // names of the integers, in order; one without a name for a single one
	low     int64
	high    uint64
	rising  bool // the integers must not fall from left to right
	word    bool
	bitmask bool
}

func integerOf(low int64, high uint64) shape {
	return shape{fields: []string{""}, low: low, high: high}
}

func integersOf(low int64, high uint64, names ...string) shape {
	return shape{fields: names, low: low, high: high}
}

func risingOf(low int64, high uint64, names ...string) shape {
	return shape{fields: names, low: low, high: high, rising: true}
}

var wordPattern = pattern(`^[a-z0-9][a-z0-9_-]*$`)

// problem says why a canonical value does not fit the shape, or nothing.
func (s shape) problem(text string) string {
	switch {
	case s.bitmask:
		return ""
	case s.word:
		if !wordPattern().MatchString(text) {
			return "must be one word"
		}
		return ""
	}
	numbers := strings.Fields(text)
	if len(numbers) != len(s.fields) {
		return fmt.Sprintf("must be %s, not %d fields", s, len(numbers))
	}
	return s.numbersProblem(numbers)
}

func (s shape) numbersProblem(numbers []string) string {
	var before *big.Int
	for i, text := range numbers {
		n, ok := integer(text)
		if !ok {
			return s.notInteger(text)
		}
		if n.Cmp(big.NewInt(s.low)) < 0 || n.Cmp(new(big.Int).SetUint64(s.high)) > 0 {
			return fmt.Sprintf("must be %s", s)
		}
		if s.rising && before != nil && n.Cmp(before) < 0 {
			return fmt.Sprintf("%s %s is less than %s %s; write them in rising order", s.fields[i], n, s.fields[i-1], before)
		}
		before = n
	}
	return ""
}

// notInteger explains a leading zero apart: the kernel takes it for octal, people do not.
func (s shape) notInteger(text string) string {
	if octalText().MatchString(text) {
		return fmt.Sprintf("%s is octal to the kernel; write it without the leading zero", shorten(text))
	}
	return fmt.Sprintf("must be %s", s)
}

// String says what the shape wants, so that it fits behind "must be".
func (s shape) String() string {
	limits := fmt.Sprintf("from %d to %d", s.low, s.high)
	if s.low <= math.MinInt32 {
		limits = fmt.Sprintf("up to %d", s.high)
	}
	if len(s.fields) == 1 {
		return "one integer " + limits
	}
	return fmt.Sprintf("%d integers %s (%s)", len(s.fields), limits, strings.Join(s.fields, " "))
}

var octalText = pattern(`^-?0[0-9]+$`)

// integer reads an integer as the kernel does, in decimal or hexadecimal. Octal is left
// out: nobody who writes a leading zero means it.
func integer(text string) (*big.Int, bool) {
	if !isInteger(text) {
		return nil, false
	}
	n, ok := new(big.Int).SetString(decimal(text), 10)
	return n, ok && (n.IsInt64() || n.IsUint64())
}

func isInteger(text string) bool {
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		return hex != "" && consistsOf(hex, digits+"abcdef")
	}
	number := strings.TrimPrefix(text, "-")
	return text == "0" || number != "" && number[0] != '0' && consistsOf(number, digits)
}
