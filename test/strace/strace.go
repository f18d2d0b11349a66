// Package strace reads what strace -f wrote.
package strace

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	begun   = regexp.MustCompile(`^(\d+) +(.*?) *<unfinished \.\.\.>$`)
	resumed = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)$`)
)

// Calls returns a system call a line, as "PID CALL(ARGUMENTS) = RESULT". strace writes a call
// in two parts where another thread's comes between them: here it is one, at the place of its
// second part. One that never went on is at the end, without a result.
func Calls(text string) []string {
	var calls []string
	open := map[string]string{} // by thread: what its call began with
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := begun.FindStringSubmatch(line); m != nil {
			open[m[1]] = m[1] + " " + m[2]
			continue
		}
		if m := resumed.FindStringSubmatch(line); m != nil && open[m[1]] != "" {
			line = open[m[1]] + m[2]
			delete(open, m[1])
		}
		calls = append(calls, line)
	}
	for _, thread := range slices.Sorted(maps.Keys(open)) {
		calls = append(calls, open[thread])
	}
	return calls
}
