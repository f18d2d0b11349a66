package sysctl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// span is a range of a list such as "8080,9148-9150".
type span struct{ first, last uint64 }

// ranges returns a list as the kernel prints it: in order, neighbours joined. A list
// that the kernel would refuse comes back as it is.
func ranges(fields []string) string {
	text := strings.Join(fields, "")
	spans, ok := parseSpans(text)
	if !ok {
		return text
	}
	var out []string
	for _, s := range join(spans) {
		f := strconv.FormatUint(s.first, 10)
		if s.last != s.first {
			f += "-" + strconv.FormatUint(s.last, 10)
		}
		out = append(out, f)
	}
	return strings.Join(out, ",")
}

func parseSpans(text string) ([]span, bool) {
	var spans []span
	for _, part := range strings.Split(text, ",") {
		if part == "" {
			continue // the kernel skips empty parts
		}
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, okFirst := parseNumber(from)
		last, okLast := parseNumber(to)
		if !okFirst || !okLast || first.negative || last.negative || last.magnitude < first.magnitude {
			return nil, false
		}
		spans = append(spans, span{first.magnitude, last.magnitude})
	}
	return spans, true
}

// join sorts spans and joins those that touch.
func join(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.first <= out[n-1].last+1 && out[n-1].last != ^uint64(0) {
			out[n-1].last = max(out[n-1].last, s.last)
			continue
		}
		out = append(out, s)
	}
	return out
}
