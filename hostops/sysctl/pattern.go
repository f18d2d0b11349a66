package sysctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Expand implements item.Expander: a pattern names the key of every present interface
// that it matches, other than the loopback's. Among patterns the later one wins. The
// single keys are volatile: they end with their interfaces.
func (o *Operation) Expand(_ context.Context, wants []item.Want) (single, patterns []item.Want, err error) {
	single, patterns = apart(wants)
	matched, n, err := o.allMatches(patterns)
	if err != nil {
		return nil, nil, err
	}
	named := make(map[item.Key]bool, len(single)+n)
	for _, w := range single {
		named[w.Key] = true
	}
	single = slices.Grow(single, n)
	for i, p := range slices.Backward(patterns) {
		for _, link := range matched[i].links {
			if k := matched[i].key(link); !named[k] {
				named[k] = true
				p.Key, p.Volatile = k, true
				single = append(single, p)
			}
		}
	}
	return single, patterns, nil
}

// match is what a pattern names now: one attribute of several interfaces.
type match struct {
	dir, attribute string
	links          []string
}

func (m match) key(link string) item.Key {
	return item.NewKey(item.Sysctl, string(of(m.dir, link, m.attribute)))
}

// paths returns the paths of the keys below /proc/sys.
func (m match) paths() []string {
	paths, dir := make([]string, 0, len(m.links)), swap(m.dir)
	for _, link := range m.links {
		paths = append(paths, dir+"/"+link+"/"+m.attribute)
	}
	return paths
}

// allMatches returns what each pattern names now, and how many keys that are.
func (o *Operation) allMatches(patterns []item.Want) (matched []match, n int, err error) {
	matched = make([]match, len(patterns))
	dirs := make(map[string][]string)
	for i, p := range slices.Backward(patterns) {
		if matched[i], err = o.match(p, dirs); err != nil {
			return nil, 0, err
		}
		n += len(matched[i].links)
	}
	return matched, n, nil
}

// apart tells wishes that name one key from patterns.
func apart(wants []item.Want) (single, patterns []item.Want) {
	for _, w := range wants {
		if isPattern(w) {
			patterns = append(patterns, w)
		} else {
			single = append(single, w)
		}
	}
	return single, patterns
}

func isPattern(w item.Want) bool { return Name(w.Key.Name()).IsPattern() }

// match returns what a pattern names now. dirs keeps the interfaces that were listed.
func (o *Operation) match(p item.Want, dirs map[string][]string) (match, error) {
	n, err := NameOf(p.Key)
	if err != nil {
		return match{}, err
	}
	n, _ = canonicalName(n)
	dir, pattern, attribute, _ := n.split()
	links, listed := dirs[dir]
	if !listed {
		links, err = o.links(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return match{}, fmt.Errorf("list the interfaces that %s can match: %w", n, err)
		}
		links = slices.DeleteFunc(slices.Clone(links), func(link string) bool { return !isLink(link) })
		dirs[dir] = links
	}
	m := match{dir: dir, attribute: attribute, links: make([]string, 0, len(links))}
	for _, link := range links {
		if matches(pattern, link) {
			m.links = append(m.links, link)
		}
	}
	return m, nil
}

// Matches reports whether a pattern, as a profile names it, stands for a key of one
// interface.
func Matches(pattern string, k item.Key) bool {
	dir, links, attribute, ok := Name(pattern).split()
	if !ok {
		return false
	}
	d, link, a, ok := Name(k.Name()).split()
	return ok && d == dir && a == attribute && matches(links, link)
}

// isLink reports whether an entry of an interface directory is an interface that a
// pattern may name. A name with the characters of a pattern cannot be told from one.
func isLink(entry string) bool {
	switch entry {
	case allLinks, defaultLink, loopback:
		return false
	}
	return checkElement(swap(entry)) == nil && !Name(entry).IsPattern()
}

// spares reports whether a pattern leaves alone what is no interface of its own: in a
// file, a pattern matches all, default and lo like any other name.
func (n Name) spares() bool {
	_, pattern, _, ok := n.split()
	return ok && !matches(pattern, allLinks) && !matches(pattern, defaultLink) && !matches(pattern, loopback)
}

// matches reports whether a name matches a pattern of "*" and "?".
func matches(pattern, name string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return len(pattern) == len(name) && matchPrefix(pattern, name)
	}
	if !matchPrefix(head, name) {
		return false
	}
	for rest := name[len(head):]; ; rest = rest[1:] {
		if matches(tail, rest) {
			return true
		}
		if rest == "" {
			return false
		}
	}
}

// matchPrefix reports whether name begins with a pattern of "?" only.
func matchPrefix(pattern, name string) bool {
	if len(name) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] != '?' && pattern[i] != name[i] {
			return false
		}
	}
	return true
}
