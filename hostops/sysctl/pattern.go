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
		for _, k := range matched[i] {
			if !named[k] {
				named[k] = true
				p.Key, p.Volatile = k, true
				single = append(single, p)
			}
		}
	}
	return single, patterns, nil
}

// allMatches lists the keys that each pattern names now, and their number.
func (o *Operation) allMatches(patterns []item.Want) (matched [][]item.Key, n int, err error) {
	matched = make([][]item.Key, len(patterns))
	dirs := make(map[string][]string)
	for i, p := range slices.Backward(patterns) {
		if matched[i], err = o.matches(p, dirs); err != nil {
			return nil, 0, err
		}
		n += len(matched[i])
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

// matches lists the keys that a pattern names now. dirs keeps the interfaces that were
// listed.
func (o *Operation) matches(p item.Want, dirs map[string][]string) ([]item.Key, error) {
	n, err := NameOf(p.Key)
	if err != nil {
		return nil, err
	}
	n, _ = canonicalName(n)
	dir, pattern, attribute, _ := n.split()
	links, listed := dirs[dir]
	if !listed {
		links, err = o.links(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list the interfaces that %s can match: %w", n, err)
		}
		links = slices.DeleteFunc(slices.Clone(links), func(link string) bool { return !isLink(link) })
		dirs[dir] = links
	}
	keys := make([]item.Key, 0, len(links))
	for _, link := range links {
		if match(pattern, link) {
			keys = append(keys, item.NewKey(item.Sysctl, string(of(dir, link, attribute))))
		}
	}
	return keys, nil
}

// Matches reports whether a pattern, as a profile names it, stands for a key of one
// interface.
func Matches(pattern string, k item.Key) bool {
	dir, links, attribute, ok := Name(pattern).split()
	if !ok {
		return false
	}
	d, link, a, ok := Name(k.Name()).split()
	return ok && d == dir && a == attribute && match(links, link)
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
	return ok && !match(pattern, allLinks) && !match(pattern, defaultLink) && !match(pattern, loopback)
}

// match reports whether a name matches a pattern of "*" and "?".
func match(pattern, name string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return len(pattern) == len(name) && matchPrefix(pattern, name)
	}
	if !matchPrefix(head, name) {
		return false
	}
	for rest := name[len(head):]; ; rest = rest[1:] {
		if match(tail, rest) {
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
