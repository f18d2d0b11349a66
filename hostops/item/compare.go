package item

import "math/big"

// Holds reports whether a state satisfies the wish.
func (w *Want) Holds(s State) bool {
	switch w.Compare {
	case Exact:
		return s == w.State
	case Present:
		return s.Present()
	default:
		return s.Present() && w.State.Present() && bounded(w.Compare, s.Text(), w.State.Text())
	}
}

// bounded compares two integers of any size; anything else satisfies no bound.
func bounded(c Compare, got, bound string) bool {
	g, okG := new(big.Int).SetString(got, 10)
	b, okB := new(big.Int).SetString(bound, 10)
	if !okG || !okB {
		return false
	}
	if c == AtLeast {
		return g.Cmp(b) >= 0
	}
	return g.Cmp(b) <= 0
}
