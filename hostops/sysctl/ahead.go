package sysctl

import (
	"sync"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// OpenAhead opens the keys of wishes beside what is done before they are looked at: opening
// is most of what a key costs. The caller waits for its end.
func OpenAhead(m *machine.Machine, wants []item.Want) (wait func()) {
	var opening sync.WaitGroup
	opening.Go(func() { m.Proc.OpenSysctls(New(m, "").paths(wants)) })
	return opening.Wait
}

// paths returns the paths of the plain keys that wishes name now.
func (o *Operation) paths(wants []item.Want) []string {
	var ours []item.Want
	for _, w := range wants {
		if w.Key.Kind() == item.Sysctl && !w.Unmanaged {
			ours = append(ours, w)
		}
	}
	single, patterns := apart(ours)
	matched, n, err := o.allMatches(patterns)
	if err != nil {
		return nil // whoever looks at them says it
	}
	paths := make([]string, 0, n+len(single))
	for i, p := range patterns {
		if isPlain(Name(p.Key.Name())) {
			paths = append(paths, matched[i].paths()...)
		}
	}
	for _, w := range single {
		if n, err := NameOf(w.Key); err == nil && isPlain(n) {
			paths = append(paths, n.Path())
		}
	}
	return paths
}
