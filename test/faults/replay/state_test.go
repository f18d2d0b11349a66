package replay_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
)

// told makes the log of a disk from letters: each is a write to a block of its own, a
// capital one of two blocks, and a dot is a flush.
func told(letters string) *replay.Log {
	l := &replay.Log{Base: make(replay.Image, disk.Size/disk.BlockSize)}
	for n, c := range []byte(letters) {
		e := replay.Entry{}
		if c != '.' {
			e = replay.Entry{Offset: int64(2*n) * disk.BlockSize, Data: bytes.Repeat([]byte{c}, disk.BlockSize)}
		}
		if c < 'a' && c != '.' {
			e.Data = append(e.Data, e.Data...)
		}
		l.Entries = append(l.Entries, e)
	}
	return l
}

// on spells what is on a disk, a letter for each block.
func on(i replay.Image) string {
	var letters []byte
	for _, b := range i {
		if b != nil {
			letters = append(letters, b[0])
		}
	}
	return string(letters)
}

func TestPrefixesAreWhatWasWrittenSoFar(t *testing.T) {
	var got []string
	for s := range told("ab.C.d").Prefixes(1) {
		got = append(got, on(s.Image))
	}
	if want := []string{"a", "ab", "abCC", "abCCd"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestReorderingsKeepWhatWasFlushedAndNothingElse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		letters string
		from    int
		want    string
	}{
		{letters: "ab.cd.", from: 3, want: "ab abc abcd abd"},
		{letters: "ab.c", from: 0, want: " a ab abc b"},
		{letters: "a.bC", from: 2, want: "a aC aCC ab abC abCC"},
		{letters: "a.b..", from: 3, want: "a ab"},
		{letters: "a.b.", from: 4, want: ""},
	} {
		found := map[string]bool{}
		for s := range told(c.letters).Reorderings(c.from, 500, random) {
			found[on(s.Image)] = true
		}
		if got := strings.Join(slices.Sorted(maps.Keys(found)), " "); got != c.want {
			t.Errorf("%s from %d: %q, not %q", c.letters, c.from, got, c.want)
		}
	}
}

func TestWhatIsWrittenTwiceIsAsItWasWrittenLast(t *testing.T) {
	l := told("ab")
	l.Entries[1].Offset = 0
	found := map[string]bool{}
	for s := range l.Reorderings(0, 100, rand.New(rand.NewPCG(1, 1))) {
		found[on(s.Image)] = true
	}
	if got := strings.Join(slices.Sorted(maps.Keys(found)), " "); got != " a b" {
		t.Errorf("%q", got)
	}
}

func TestADiskThatLiesKeepsNothing(t *testing.T) {
	found := map[string]bool{}
	l := told("a.b.c.").WithoutFlushes(2)
	for s := range l.Reorderings(2, 500, rand.New(rand.NewPCG(1, 1))) {
		found[on(s.Image)] = true
	}
	if got := strings.Join(slices.Sorted(maps.Keys(found)), " "); got != "a ab abc ac" {
		t.Errorf("%q", got)
	}
}
