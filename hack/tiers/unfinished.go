package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// dumpLines is how much is shown of what all goroutines were doing: the tests that ran, and
// the first goroutines, are at its beginning.
const dumpLines = 200

// printed is what has been printed by tests that have not ended, by package and test, as
// "package test".
type printed map[string][]string

// unfinished forgets the tests of a package that has ended. If it failed, it first prints
// what they had printed. The dump of a package whose time is over is among it: it is told
// as the output of whichever test printed last.
func (p printed) unfinished(pkg string, failed bool, out io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		test, ours := strings.CutPrefix(name, pkg+" ")
		if !ours {
			continue
		}
		if failed {
			fmt.Fprintf(out, "!!! %s did not end\n%s", test, strings.Join(shorten(p[name]), ""))
		}
		delete(p, name)
	}
}

// shorten leaves out what follows the first lines of a dump of goroutines.
func shorten(lines []string) []string {
	start := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "panic: ") })
	if start < 0 || len(lines) <= start+dumpLines {
		return lines
	}
	kept := slices.Clone(lines[:start+dumpLines])
	return append(kept, fmt.Sprintf("... and %d lines more\n", len(lines)-len(kept)))
}
