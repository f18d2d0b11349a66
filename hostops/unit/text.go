package unit

import (
	"errors"
	"fmt"
	"strings"
)

// ExecStart returns the command line of the text of a unit. Nothing set is an error.
func ExecStart(text string) ([]string, error) {
	values := execStarts(text)
	switch len(values) {
	case 0:
		return nil, errors.New("it sets no ExecStart=")
	case 1:
		argv, err := Split(values[0])
		if err != nil {
			return nil, fmt.Errorf("ExecStart=%s: %w", values[0], err)
		}
		return argv, nil
	default:
		return nil, fmt.Errorf("it sets ExecStart= %d times", len(values))
	}
}

// SetsExecStart reports whether a drop-in has its own say about the command line: one that
// only empties it has too.
func SetsExecStart(text string) bool {
	set := false
	assignments(text, func(string) { set = true })
	return set
}

// execStarts are the values that count: an empty one takes those before it away.
func execStarts(text string) []string {
	var values []string
	assignments(text, func(value string) {
		if values = append(values, value); value == "" {
			values = nil
		}
	})
	return values
}

// assignments calls f with each value of ExecStart= in [Service].
func assignments(text string, f func(value string)) {
	section := ""
	for _, line := range logicalLines(text) {
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if found && section == "[Service]" && trim(name) == "ExecStart" {
			f(trim(value))
		}
	}
}

// logicalLines joins lines that end with a backslash, without comments and blank lines:
// those within a joined line are left out as well.
func logicalLines(text string) []string {
	var out []string
	joined, open := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if trimmed := trim(line); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";") || trimmed == "" && !open {
			continue
		}
		joined += line
		if open = continues(line); open {
			joined = joined[:len(joined)-1] + " "
			continue
		}
		out, joined = append(out, trim(joined)), ""
	}
	if open {
		out = append(out, trim(joined))
	}
	return out
}

// continues reports whether the last backslash of a line is not escaped itself.
func continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}
