package sysctl

import (
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Line is a line of a file that sets, or keeps a pattern from setting, a key.
type Line struct {
	File   string
	Number int
	// State is the value; Absent if the line only keeps patterns away from the key.
	State item.State
	order int // among all lines of a reading
	path  string
}

// Reading is what a reader makes of all files together.
type Reading struct {
	reader   Reader
	explicit map[string][]Line // by path
	excluded map[string]Line
	rooted   map[string][]Line // by path, which procps does not hold against patterns
	patterns []Line            // path is the pattern
}

// Read reads files as a reader does.
func Read(r Reader, files []File) *Reading {
	all := &Reading{
		reader: r, explicit: make(map[string][]Line), excluded: make(map[string]Line), rooted: make(map[string][]Line),
	}
	order := 0
	for _, f := range inOrder(r, files) {
		for _, s := range parseFile(f.Content) {
			order++
			all.add(s, Line{File: f.name(), Number: s.line, order: order, path: s.name.Path()})
		}
	}
	return all
}

func (r *Reading) add(s setting, l Line) {
	if l.State = item.Absent; !s.exclude {
		l.State = Value(s.name, s.value)
	}
	if r.reader == Systemd {
		r.addSystemd(s, l)
		return
	}
	switch {
	case s.spaced: // taken for a part of the name
	case s.glob && s.exclude: // a pattern excludes nothing
	case s.glob:
		r.patterns = append(r.patterns, l)
	case s.rooted && s.exclude:
	case s.rooted:
		r.rooted[l.path] = append(r.rooted[l.path], l)
	case s.exclude:
		r.excluded[l.path] = l
	default:
		r.explicit[l.path] = append(r.explicit[l.path], l)
	}
}

// addSystemd: to systemd-sysctl each key, be it a pattern, has one line, which a later
// one with another value replaces. Excluding a key is one more value of it.
func (r *Reading) addSystemd(s setting, l Line) {
	if !s.glob {
		old := r.explicit[l.path]
		if n := len(old); n == 0 || old[n-1].State != l.State {
			r.explicit[l.path] = append(old, l)
		}
		return
	}
	if slices.ContainsFunc(r.patterns, func(o Line) bool { return o.path == l.path && o.State == l.State }) {
		return
	}
	r.patterns = slices.DeleteFunc(r.patterns, func(o Line) bool { return o.path == l.path })
	if !s.exclude {
		r.patterns = append(r.patterns, l)
	}
}

// applied lists the lines that the reader applies to one path, in its order: those that
// name it, or else, if none excludes it, the patterns that match.
func (r *Reading) applied(p string) []Line {
	lines := slices.Concat(r.explicit[p], r.rooted[p])
	switch l, excluded := r.excluded[p]; {
	case len(r.explicit[p]) > 0:
	case !excluded:
		lines = append(lines, r.matching(p)...)
	case len(lines) == 0:
		lines = []Line{l}
	}
	slices.SortFunc(lines, func(a, b Line) int { return a.order - b.order })
	return lines
}

func (r *Reading) matching(p string) []Line {
	var lines []Line
	for _, l := range r.patterns {
		if ok, err := path.Match(l.path, p); ok && err == nil {
			lines = append(lines, l)
		}
	}
	return lines
}

// Deciding returns the line that decides what the reader sets an item to. ok is false
// if no line sets it.
func (r *Reading) Deciding(k item.Key) (decides Line, ok bool) {
	for _, n := range namesOf(k) {
		lines := r.applied(n.Path())
		if len(lines) == 0 {
			continue
		}
		if l := lines[len(lines)-1]; l.State.Present() && l.order > decides.order {
			decides, ok = l, true
		}
	}
	return rename(decides, k), ok
}

// rename gives the state of a line in the item's own terms: a pattern's value was read
// for the pattern's name.
func rename(l Line, k item.Key) Line {
	n, err := NameOf(k)
	if err == nil && strings.ContainsAny(l.path, "*?[") && l.State.Present() {
		l.State = Value(n, l.State.Text())
	}
	return l
}

// namesOf returns all names of an item.
func namesOf(k item.Key) []Name {
	n, err := NameOf(k)
	if err != nil {
		return nil
	}
	names := []Name{n}
	if p, ok := pairOf(n); ok {
		names = append(names, p.amount)
	}
	for other, own := range aliases {
		if own == n {
			names = append(names, other)
		}
	}
	return append(names, olderNames(n)...)
}
