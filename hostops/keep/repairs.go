package keep

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/contention"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// Repairs remembers what others change, and says what is left alone for now. The zero
// value knows of nothing.
type Repairs struct{ fights contention.Fights }

// Leave returns which wishes are told and not repaired when others changed them: those of
// the named profiles, and those that somebody fights for. A pattern is left while one of
// its interfaces is: it stands for them as one wish.
func (r *Repairs) Leave(profiles map[string]bool, now time.Time) func(item.Want) bool {
	waiting := r.fights.Waiting(now)
	return func(w item.Want) bool {
		return profiles[w.Source.Profile] || slices.ContainsFunc(waiting, func(k item.Key) bool {
			return k == w.Key || covers(w.Key, k)
		})
	}
}

// covers reports whether a pattern stands for a key. A slash is a letter here: it stands
// for a dot inside an interface's name.
func covers(pattern, k item.Key) bool {
	if !strings.ContainsAny(string(pattern), "*?") || pattern.Kind() != k.Kind() {
		return false
	}
	letter := strings.NewReplacer("/", "\x01")
	ok, err := path.Match(letter.Replace(pattern.Name()), letter.Replace(k.Name()))
	return err == nil && ok
}

// Contended returns the fights that go on, sorted by key.
func (r *Repairs) Contended() []contention.Fight { return r.fights.Contended() }

// Next returns when something is to be repaired, or a fight is over, by time alone; zero
// if nothing is.
func (r *Repairs) Next(now time.Time) time.Time { return r.fights.Next(now) }
