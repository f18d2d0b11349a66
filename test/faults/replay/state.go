package replay

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/hostprofile/hostprofile/test/faults/disk"
)

// State is a disk as a power cut may have left it.
type State struct {
	Image Image
	// At is how many entries of the log there were at the latest moment at which a cut may
	// leave this disk.
	At int
	// Name says which state it is, for people.
	Name string
}

// Prefixes are the disks on which exactly the first writes have arrived, from the given
// entry of the log on.
func (l *Log) Prefixes(from int) iter.Seq[State] {
	return func(yield func(State) bool) {
		image := l.Base.with(l.Entries[:from])
		if !yield(State{Image: image, At: from, Name: fmt.Sprintf("the first %d entries", from)}) {
			return
		}
		for n := from; n < len(l.Entries); n++ {
			if l.Entries[n].Flush() {
				continue
			}
			image = image.with(l.Entries[n : n+1])
			if !yield(State{Image: image, At: n + 1, Name: fmt.Sprintf("the first %d entries", n+1)}) {
				return
			}
		}
	}
}

// window is what was written between two flushes, in blocks.
type window struct {
	first, end int // entries of the log
	before     Image
	blocks     []Entry
	writes     []int // how many of the blocks there are up to the end of each write
}

// windows are those in which a cut may come at the given entry of the log or later.
func (l *Log) windows(from int) iter.Seq[window] {
	return func(yield func(window) bool) {
		w := window{before: l.Base}
		for n, e := range l.Entries {
			if !e.Flush() {
				w.blocks = append(w.blocks, blocks(e)...)
				w.writes = append(w.writes, len(w.blocks))
				continue
			}
			w.end = n
			if n >= from && len(w.blocks) > 0 && !yield(w) {
				return
			}
			w = window{first: n + 1, before: w.before.with(w.blocks)}
		}
		if w.end = len(l.Entries); len(w.blocks) > 0 {
			yield(w)
		}
	}
}

// blocks cuts a write into those of the disk.
func blocks(e Entry) []Entry {
	var out []Entry
	for data, at := e.Data, e.Offset; len(data) > 0; {
		n := min(len(data), disk.BlockSize-int(at%disk.BlockSize))
		out = append(out, Entry{Offset: at, Data: data[:n]})
		data, at = data[n:], at+int64(n)
	}
	return out
}

// Reorderings are disks on which, of what was written since the last flush, some blocks
// have arrived and others not: from each time between two flushes the given number, by
// chance. Those that arrived are as they were written last.
func (l *Log) Reorderings(from, each int, random *rand.Rand) iter.Seq[State] {
	return func(yield func(State) bool) {
		for w := range l.windows(from) {
			for range each {
				some := w.some(random)
				s := State{
					Image: w.before.with(some), At: w.end,
					Name: fmt.Sprintf("all up to entry %d and %d blocks of the %d that were written up to entry %d", w.first, len(some), len(w.blocks), w.end),
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

// some draws what has arrived: a few of the blocks, half of them, most, all but one, or the
// later writes without the earlier ones.
func (w window) some(random *rand.Rand) []Entry {
	switch kind := random.IntN(5); kind {
	case 3:
		missing := random.IntN(len(w.blocks))
		return append(append([]Entry(nil), w.blocks[:missing]...), w.blocks[missing+1:]...)
	case 4:
		return w.blocks[w.writes[random.IntN(len(w.writes))]:]
	default:
		chance := []float64{0.1, 0.5, 0.9}[kind]
		var out []Entry
		for _, b := range w.blocks {
			if random.Float64() < chance {
				out = append(out, b)
			}
		}
		return out
	}
}
