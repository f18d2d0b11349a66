package sysctl

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Shadow is a line of somebody else's file that sets a wanted key to another value.
type Shadow struct {
	Key  item.Key
	File string
	Line int
	// Value is what the line sets; Absent if it keeps our pattern from setting the key.
	Value item.State
	// BeatsOurs: the line, not ours, decides what the next boot sets.
	BeatsOurs bool
	// Reader is the one that this holds for; empty if it holds for both.
	Reader Reader
}

// Shadows lists the lines that are against a wish, by key, file and line. files may
// hold our own file, whose content is taken from the wishes instead. It is pure.
func Shadows(files []File, wants []item.Want) []Shadow {
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Path == paths.SysctlDropIn })
	// Without our own file a line is never against fewer wishes, and most wishes have none:
	// only for what is left does it matter which of the two lines wins.
	against := disputed(files, wants)
	if len(against) == 0 {
		return nil
	}
	files = append(files, File{Path: paths.SysctlDropIn, Content: intended(wants)})
	systemd, procps := shadowsOf(Systemd, files, against), shadowsOf(Procps, files, against)
	var list []Shadow
	for s := range systemd {
		if !procps[s] {
			s.Reader = Systemd
		}
		list = append(list, s)
	}
	for s := range procps {
		if !systemd[s] {
			s.Reader = Procps
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Shadow) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), -cmp.Compare(a.Reader, b.Reader))
	})
	return list
}

// disputed returns the wishes that a line is against where we have no file.
func disputed(files []File, wants []item.Want) []item.Want {
	systemd, procps := Read(Systemd, files), Read(Procps, files)
	var out []item.Want
	for i := range wants {
		names := namesOf(wants[i].Key)
		if len(systemd.against(&wants[i], names))+len(procps.against(&wants[i], names)) > 0 {
			out = append(out, wants[i])
		}
	}
	return out
}

// shadowsOf returns what holds for one reader. A line that it reads twice, through a
// link, counts as the one that matters.
func shadowsOf(r Reader, files []File, wants []item.Want) map[Shadow]bool {
	reading := Read(r, files)
	set := make(map[Shadow]bool)
	for i := range wants {
		for _, s := range reading.against(&wants[i], namesOf(wants[i].Key)) {
			set[s] = true
		}
	}
	for s := range set {
		if s.BeatsOurs {
			s.BeatsOurs = false
			delete(set, s)
		}
	}
	return set
}

// intended is our own file as the wishes would have it.
func intended(wants []item.Want) string {
	lines := make(map[item.Key]item.State)
	var patterns []item.Want
	for _, w := range wants {
		switch {
		case w.Unmanaged:
		case isPattern(w):
			patterns = append(patterns, w)
		case w.Compare == item.Exact && !w.Volatile:
			lines[w.Key] = w.State
		}
	}
	state := BootFile{}.Render(lines, patterns)
	if !state.Present() {
		return ""
	}
	_, content, _ := state.FileContent()
	return string(content)
}

// against lists the lines that are against one wish for an item with these names.
func (r *Reading) against(w *item.Want, names []Name) []Shadow {
	switch {
	case w.Unmanaged:
		return nil
	case isPattern(*w):
		return r.againstPattern(w)
	}
	var lines []Line
	for _, n := range names {
		for _, l := range r.applied(n.Path()) {
			if l = rename(l, w.Key); l.File != paths.SysctlDropIn && !w.Holds(l.State) {
				lines = append(lines, l)
			}
		}
	}
	if len(lines) == 0 { // as for most wishes
		return nil
	}
	decides, decided := r.Deciding(w.Key)
	list := make([]Shadow, len(lines))
	for i, l := range lines {
		list[i] = l.shadow(w.Key, decided && l.order == decides.order)
	}
	return list
}

func (l Line) shadow(k item.Key, beats bool) Shadow {
	return Shadow{Key: k, File: l.File, Line: l.Number, Value: l.State, BeatsOurs: beats}
}

// againstPattern: a line that names one interface beats every pattern, whatever the
// order of files; among patterns the later one wins.
func (r *Reading) againstPattern(w *item.Want) []Shadow {
	n, err := NameOf(w.Key)
	if err != nil {
		return nil
	}
	pattern := n.Path()
	var list []Shadow
	named := func(p string, l Line) {
		if ok, err := path.Match(pattern, p); ok && err == nil && l.File != paths.SysctlDropIn && l.State != w.State {
			list = append(list, l.shadow(w.Key, true))
		}
	}
	for p, lines := range r.explicit {
		named(p, lines[len(lines)-1])
	}
	for p, l := range r.excluded {
		named(p, l)
	}
	ours := -1
	for _, l := range r.patterns {
		if l.File == paths.SysctlDropIn && l.path == pattern {
			ours = l.order
		}
	}
	for _, l := range r.patterns {
		if l.File != paths.SysctlDropIn && overlap(l.path, pattern) && l.State != w.State {
			list = append(list, l.shadow(w.Key, l.order > ours))
		}
	}
	return list
}

// overlap reports whether two patterns of paths can match one path, as far as one of
// them matches the other taken as a name.
func overlap(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		xy, _ := path.Match(x[i], y[i])
		yx, _ := path.Match(y[i], x[i])
		if !xy && !yx {
			return false
		}
	}
	return true
}
