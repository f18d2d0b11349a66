package sysctl

import "github.com/hostprofile/hostprofile/hostops/item"

// Members returns the keys that an item reads: both of a pair, otherwise its own.
func Members(k item.Key) []Name {
	n, err := NameOf(k)
	if err != nil || n.IsPattern() {
		return nil
	}
	if p, ok := pairOf(n); ok {
		return []Name{p.ratio, p.amount}
	}
	return []Name{n}
}
