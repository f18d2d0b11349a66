package sysctl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Value returns the state that a text gives the item of a name: the canonical text,
// in the item's own unit. The state of a pair names the key in force:
// "vm.dirty_bytes=1048576".
func Value(n Name, text string) item.State {
	to, factor := canonicalName(n)
	text = Canonical(to, text)
	if factor != 1 {
		text = multiply(text, factor)
	}
	p, ok := pairOf(to)
	if !ok {
		return item.Text(text)
	}
	if to == p.amount && text == "0" {
		to = p.ratio // neither is in force: one state, not two
	}
	return item.Text(string(to) + "=" + text)
}

// member splits the state of a pair into the key in force and its value.
func member(s item.State) (Name, string) {
	n, text, _ := strings.Cut(s.Text(), "=")
	return Name(n), text
}

// Equal reports whether two texts are the same value of a key.
func Equal(n Name, a, b string) bool { return Canonical(n, a) == Canonical(n, b) }

// form is how the kernel prints a value that is not just numbers and words in order.
type form func(fields []string) string

var forms = map[Name]form{
	"net.ipv4.ip_local_reserved_ports": ranges,
	"kernel.watchdog_cpumask":          ranges,
	// The kernel prints these in its own order, whatever order was written.
	"net.ipv4.tcp_allowed_congestion_control": sorted,
	"kernel.seccomp.actions_logged":           sorted,
	// Hexadecimal without a prefix.
	"net.core.rps_default_mask":      mask,
	"net.core.flow_limit_cpu_bitmap": mask,
}

// Canonical returns the text that stands for all texts which the kernel takes for the
// same value of a key: single blanks, decimal integers, lists and sets as the kernel
// orders them. It is its own canonical form.
func Canonical(n Name, text string) string {
	if isDecimal(text) {
		return text
	}
	fields := strings.Fields(text)
	if f := forms[n]; f != nil {
		return f(fields)
	}
	for i, f := range fields {
		fields[i] = integer(f)
	}
	return strings.Join(fields, " ")
}

// isDecimal reports whether a text is one number as the kernel prints it. Most values are,
// and it is the canonical form of every kind of them.
func isDecimal(text string) bool {
	if text == "" || len(text) > 19 || text[0] == '0' && text != "0" {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// integer returns the decimal form of what the kernel reads as an integer: 0x is
// hexadecimal and, as in C, a leading 0 octal. Everything else comes back as it is.
func integer(s string) string {
	if v, ok := parseNumber(s); ok {
		return v.String()
	}
	return s
}

// number is an integer as sysctls hold them: up to 64 bits, signed or not.
type number struct {
	negative  bool
	magnitude uint64
}

func (v number) String() string {
	s := strconv.FormatUint(v.magnitude, 10)
	if v.negative {
		return "-" + s
	}
	return s
}

func parseNumber(s string) (number, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	base := 10
	switch {
	case len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X"):
		digits, base = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		base = 8
	}
	if digits == "" || digits[0] == '+' || digits[0] == '-' {
		return number{}, false
	}
	u, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return number{}, false
	}
	return number{negative && u != 0, u}, true
}

func multiply(text string, factor uint64) string {
	v, ok := parseNumber(text)
	if !ok || v.magnitude > ^uint64(0)/factor {
		return text
	}
	v.magnitude *= factor
	return v.String()
}

// Order compares two integers of up to 64 bits, signed or not, as the kernel prints
// them: below 0, 0 or above 0. ok is false if one of them is no integer.
func Order(a, b string) (order int, ok bool) {
	x, okX := parseNumber(a)
	y, okY := parseNumber(b)
	switch {
	case !okX || !okY:
		return 0, false
	case x == y:
		return 0, true
	case x.negative != y.negative:
		return sign(y.negative), true
	default:
		return sign((x.magnitude > y.magnitude) != x.negative), true
	}
}

func sign(greater bool) int {
	if greater {
		return 1
	}
	return -1
}

func sorted(fields []string) string {
	slices.Sort(fields)
	return strings.Join(slices.Compact(fields), " ")
}

// mask drops the zeros and the commas that the kernel puts before and between groups
// of 32 bits.
func mask(fields []string) string {
	s := strings.ToLower(strings.ReplaceAll(strings.Join(fields, ""), ",", ""))
	if s = strings.TrimLeft(strings.TrimPrefix(s, "0x"), "0"); s == "" {
		return "0"
	}
	return s
}
