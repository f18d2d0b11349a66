package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// Entry is one line for a reader: a result, or all results of one pattern that went the
// same way.
type Entry struct {
	item.Result
	Class Class
	Stage string
	Name  string // the key without its kind, or the pattern
	Links int    // how many interfaces the line stands for; 0 if it is no pattern
}

// Fold joins the results of each pattern of the profiles: a node has thousands of pod
// interfaces, and what was wished of them is one line.
func Fold(r *item.Report, profiles []v1alpha1.HostProfile) []Entry {
	patterns := patternsOf(profiles)
	entries := make([]Entry, 0, r.Len())
	at := map[string]int{}
	for _, stage := range r.Stages {
		for i := range stage.Results {
			e := Entry{Result: stage.Results[i], Class: ClassOf(&stage.Results[i]), Stage: stage.Stage}
			e.Name = e.Key.Name()
			pattern := cmp.Or(patterns.of(&e.Result), binding(&e.Result))
			if pattern == "" {
				entries = append(entries, e)
				continue
			}
			id := e.identity(pattern)
			if n, known := at[id]; known {
				entries[n].Links++
				entries[n].Name = pattern
				continue
			}
			e.Links = 1
			at[id] = len(entries)
			entries = append(entries, e)
		}
	}
	return entries
}

// identity is what results must share to be one line.
func (e *Entry) identity(pattern string) string {
	return strings.Join([]string{
		pattern, string(e.Outcome), e.Have.String(), e.Want.String(), e.Before.String(),
		string(e.Reason), e.Source.Profile,
	}, "\x00")
}

// wish is one sysctl that a profile names.
type wish struct {
	profile string
	name    string
}

// patterns are the wishes for interfaces by pattern, the most specific first, and the
// names that are no patterns.
type patterns struct {
	list  []wish
	exact map[wish]bool
}

func patternsOf(profiles []v1alpha1.HostProfile) patterns {
	p := patterns{exact: map[wish]bool{}}
	for i := range profiles {
		for _, s := range profiles[i].Spec.Sysctls {
			w := wish{profiles[i].Name, s.Name}
			if strings.ContainsAny(s.Name, "*?") {
				p.list = append(p.list, w)
			} else {
				p.exact[w] = true
			}
		}
	}
	slices.SortStableFunc(p.list, func(a, b wish) int {
		return strings.IndexAny(b.name, "*?") - strings.IndexAny(a.name, "*?")
	})
	return p
}

// of returns the pattern that a result comes from, empty if it was named itself. A result
// without a wish belongs to the pattern of any profile.
func (p patterns) of(r *item.Result) string {
	from := r.Source.Profile
	if r.Key.Kind() != item.Sysctl || p.exact[wish{from, r.Key.Name()}] {
		return ""
	}
	for _, w := range p.list {
		if (w.profile == from || from == "") && sysctl.Matches(w.name, r.Key) {
			return w.name
		}
	}
	return ""
}
