package fake

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// format is how the kernel parses and prints a key.
type format uint8

const (
	text    format = iota // kept as written
	int32s                // proc_dointvec: one or more, separated by tabs
	uint32s               // proc_douintvec
	uint64s               // proc_doulongvec
)

// cell is one variable of the kernel. Two paths can name one cell.
type cell struct {
	path     string
	value    string // as the kernel prints it
	initial  string // what a boot gives it
	min, max int64  // bounds of each number; equal: none
	clamp    int64  // a larger number is stored as this one, silently; 0: none
	format   format
	count    uint8 // numbers in the value
	rule     rule
	choices  string // the only texts that are taken, separated by spaces; "": any

	readOnly  bool // mode 0444
	writeOnly bool // mode 0200
	core      bool // the kernel has it from the start
	gone      bool // not there
	hidden    bool // not there, because a test says so
	foreign   bool // another file is mounted over it
	set       bool // the kernel's state bit: written, so the default is not copied
}

// numbers returns the format and count of numbers that a text looks like.
func numbers(s string) (format, uint8) {
	fields := strings.Fields(s)
	f := int32s
	for _, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		switch {
		case err != nil && !isUint64(field):
			return text, 0
		case err != nil || n > math.MaxUint32:
			f = uint64s
		case n > math.MaxInt32:
			f = max(f, uint32s)
		}
	}
	if len(fields) == 0 {
		return text, 0
	}
	return f, uint8(len(fields))
}

func isUint64(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}

// parse returns what the kernel stores and prints for a written text. Fewer numbers
// than the key has leave the others as they are. Of more, the kernel takes the first
// and says that it took only a part of the text: rest is true then.
func (c *cell) parse(s string) (value string, rest bool, err error) {
	switch {
	case c.format == text:
		if c.choices != "" && !slices.Contains(strings.Fields(c.choices), s) {
			return "", false, machine.ErrInvalid
		}
		return s, false, nil
	case c.count == 1 && c.clamp == 0 && canonical(s):
		if n, _ := strconv.ParseInt(s, 10, 64); !c.inRange(n) {
			return "", false, machine.ErrInvalid
		}
		return s, false, nil
	}
	return c.parseNumbers(s)
}

// canonical reports whether s is a short decimal number as the kernel prints it.
func canonical(s string) bool {
	if len(s) == 0 || len(s) > 9 || (s[0] == '0' && len(s) > 1) {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func (c *cell) parseNumbers(s string) (value string, rest bool, err error) {
	in := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
	if len(in) == 0 {
		return "", false, machine.ErrInvalid
	}
	out := strings.Split(c.value, "\t")
	for i, field := range in {
		if i == len(out) {
			rest = true
			break
		}
		if out[i], err = c.number(field); err != nil {
			return "", false, err
		}
	}
	return strings.Join(out, "\t"), rest, nil
}

// number reads one number as the kernel does: 0x is hexadecimal, a leading 0 octal.
func (c *cell) number(s string) (string, error) {
	digits, negative := strings.CutPrefix(s, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.ContainsAny(digits, "_oObB") {
		return "", machine.ErrInvalid
	}
	u, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return "", machine.ErrInvalid
	}
	if c.format == uint64s {
		return c.number64(u, negative)
	}
	if u > math.MaxUint32 {
		return "", machine.ErrInvalid
	}
	n := int64(u)
	if negative {
		n = -n
	}
	if c.clamp != 0 && n > c.clamp {
		n = c.clamp
	}
	if !c.inRange(n) {
		return "", machine.ErrInvalid
	}
	return strconv.FormatInt(n, 10), nil
}

func (c *cell) number64(u uint64, negative bool) (string, error) {
	if negative || (c.min != c.max && u < uint64(c.min)) {
		return "", machine.ErrInvalid
	}
	if c.clamp != 0 && u > uint64(c.clamp) {
		u = uint64(c.clamp)
	}
	return strconv.FormatUint(u, 10), nil
}

// inRange holds a number against the type and against the key's own bounds.
func (c *cell) inRange(n int64) bool {
	if c.min != c.max && (n < c.min || n > c.max) {
		return false
	}
	if c.format == uint32s {
		return n >= 0 && n <= math.MaxUint32
	}
	return n >= math.MinInt32 && n <= math.MaxInt32
}
