package sysctl

import (
	"slices"
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
	matched, _, err := o.allMatches(patterns)
	if err != nil {
		return nil // whoever looks at them says it
	}
	keys := slices.Concat(matched...)
	for _, w := range single {
		keys = append(keys, w.Key)
	}
	paths := make([]string, 0, len(keys))
	for _, k := range keys {
		if n, err := NameOf(k); err == nil && isPlain(n) {
			paths = append(paths, n.Path())
		}
	}
	return paths
}
