package replay

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/hostprofile/hostprofile/test/faults/disk"
)

// State is a disk as a power cut may have left it.
type State struct {
	Image Image
	// From and At are how many entries of the log there were at the earliest and at the
	// latest moment at which a cut may leave this disk.
	From, At int
	// Name says which state it is, for people.
	Name string
}

// Prefixes are the disks on which exactly the first writes have arrived, from the given
// entry of the log on.
func (l *Log) Prefixes(from int) iter.Seq[State] {
	return func(yield func(State) bool) {
		image := l.Base.with(l.Entries[:from])
		if !yield(State{Image: image, From: from, At: from, Name: fmt.Sprintf("the first %d entries", from)}) {
			return
		}
		for n := from; n < len(l.Entries); n++ {
			if l.Entries[n].Flush() {
				continue
			}
			image = image.with(l.Entries[n : n+1])
			if !yield(State{Image: image, From: n + 1, At: n + 1, Name: fmt.Sprintf("the first %d entries", n+1)}) {
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
	entries    []int // of the log, one for each block
	writes     []int // how many of the blocks there are up to the end of each write
}

// add adds the n-th entry of the log, a write.
func (w *window) add(n int, e Entry) {
	for data, at := e.Data, e.Offset; len(data) > 0; {
		size := min(len(data), disk.BlockSize-int(at%disk.BlockSize))
		w.blocks = append(w.blocks, Entry{Offset: at, Data: data[:size]})
		w.entries = append(w.entries, n)
		data, at = data[size:], at+int64(size)
	}
	w.writes = append(w.writes, len(w.blocks))
}

// windows are those in which a cut may come at the given entry of the log or later.
func (l *Log) windows(from int) iter.Seq[window] {
	return func(yield func(window) bool) {
		w := window{before: l.Base}
		for n, e := range l.Entries {
			if !e.Flush() {
				w.add(n, e)
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

// Reorderings are disks on which, of what was written since the last flush, some blocks
// have arrived and others not: from each time between two flushes the given number, by
// chance. Those that arrived are as they were written last.
func (l *Log) Reorderings(from, each int, random *rand.Rand) iter.Seq[State] {
	return func(yield func(State) bool) {
		for w := range l.windows(from) {
			for range each {
				if !yield(w.state(random)) {
					return
				}
			}
		}
	}
}

// state draws a disk.
func (w *window) state(random *rand.Rand) State {
	s := State{Image: slices.Clone(w.before), From: w.first, At: w.end}
	there := 0
	for n, arrived := range w.some(random) {
		if arrived {
			s.Image.write(w.blocks[n])
			s.From = w.entries[n] + 1
			there++
		}
	}
	s.Name = fmt.Sprintf("all up to entry %d and %d blocks of the %d that were written up to entry %d", w.first, there, len(w.blocks), w.end)
	return s
}

// some draws which blocks have arrived: a few, half of them, most, all but one, or those of
// the later writes without the earlier ones.
func (w *window) some(random *rand.Rand) []bool {
	arrived := make([]bool, len(w.blocks))
	kind := random.IntN(5)
	one := random.IntN(len(w.blocks))
	first := w.writes[random.IntN(len(w.writes))]
	for n := range arrived {
		switch kind {
		case 3:
			arrived[n] = n != one
		case 4:
			arrived[n] = n >= first
		default:
			arrived[n] = random.Float64() < []float64{0.1, 0.5, 0.9}[kind]
		}
	}
	return arrived
}
