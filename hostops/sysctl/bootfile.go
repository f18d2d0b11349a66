package sysctl

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const header = "# Written by hostprofile. Changes are overwritten; set values in a HostProfile.\n"

// BootFile is the file through which procps or systemd-sysctl sets our keys at boot. It
// implements item.BootFile.
type BootFile struct{ o *Operation }

// NewBootFile returns the boot file of a host.
func NewBootFile(m *machine.Machine) BootFile { return BootFile{New(m, "")} }

// Key implements item.BootFile.
func (BootFile) Key() item.Key { return item.NewKey(item.File, paths.SysctlDropIn) }

// line is one assignment.
type line struct {
	name  Name
	value string
	rank  int
}

func (l line) String() string {
	return strings.TrimSpace(spell(l.name)+" = "+l.value) + "\n" // both readers set an empty value
}

// Render implements item.BootFile. The text is in the part of the grammar that both
// readers share: one "key = value" a line, masters first, since their lines change
// others. The last of several patterns that match wins, and a reader goes on when
// nothing matches one: hence the dash.
func (BootFile) Render(lines map[item.Key]item.State, patterns []item.Want) item.State {
	var b strings.Builder
	for _, l := range ordered(lines) {
		b.WriteString(l.String())
	}
	for _, p := range patterns {
		if l, ok := assignment(p.Key, p.State); ok && !p.Unmanaged && l.name.spares() {
			b.WriteString("-" + l.String())
		}
	}
	if b.Len() == 0 {
		return item.Absent
	}
	return item.FileState(0o644, []byte(header+b.String()))
}

func ordered(lines map[item.Key]item.State) []line {
	var list []line
	for k, s := range lines {
		if l, ok := assignment(k, s); ok {
			l.rank = rank(l.name)
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	return list
}

// assignment returns what a file says to set a state. A pair is set through the key
// that is in force.
func assignment(k item.Key, s item.State) (line, bool) {
	n, err := NameOf(k)
	if err != nil || !s.Present() {
		return line{}, false
	}
	if _, ok := pairOf(n); ok {
		n, value := member(s)
		return line{name: n, value: value}, value != ""
	}
	return line{name: n, value: s.Text()}, true
}

// spell returns a name as both readers take it. The slash form is for interfaces with
// a dot in their name only.
func spell(n Name) string {
	if strings.Contains(string(n), "/") {
		return n.Path()
	}
	return string(n)
}

// Lines implements item.BootFile: what the content sets, in its order, and what the
// lines of masters and of default change on the interfaces that are there. Patterns are
// left out:
// they set keys that are never listed.
func (f BootFile) Lines(content item.State) map[item.Key]item.State {
	_, text, err := content.FileContent()
	if err != nil {
		return nil
	}
	lines := make(map[item.Key]item.State)
	for _, a := range parseFile(string(text)) {
		if a.glob || a.exclude {
			continue
		}
		f.set(lines, a)
	}
	return lines
}

func (f BootFile) set(lines map[item.Key]item.State, a setting) {
	k, s := Key(a.name), Value(a.name, a.value)
	lines[k] = s
	n, _ := canonicalName(a.name)
	effects, err := f.o.effects(n, "", s.Text())
	if err != nil {
		return
	}
	for _, e := range effects {
		lines[e.Key] = e.To
	}
}
