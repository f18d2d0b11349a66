package wish

import (
	"maps"
	"slices"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
)

// Patience is how long a profile has to stay away before that is believed.
type Patience struct {
	// Away is for a profile that was seen under the present Node and CRD.
	Away time.Duration
	// Moved is how long the Node and the CRD must have been the same otherwise: objects
	// that were deleted with them may be about to come back.
	Moved time.Duration
}

// DefaultPatience is what agents have.
func DefaultPatience() Patience { return Patience{Away: 30 * time.Second, Moved: 5 * time.Minute} }

// Evidence is what the API server answered when it was asked anew, past every cache. It
// is made only if all questions were answered.
type Evidence struct {
	At time.Time
	// Profiles are a complete list.
	Profiles []Found
	// Gone are the names that are not in the list and that the server, asked for each
	// alone, does not have either.
	Gone []string
	// CRD is the uid of the CRD of HostProfile if it is established and not being
	// deleted, else empty: then nothing that is missing means anything.
	CRD string
	// Node is nil if there is no Node object.
	Node *Node
}

// place is under which Node and CRD something was seen.
type place struct{ crd, node string }

func (e *Evidence) place() place {
	if e.CRD == "" || e.Node == nil {
		return place{}
	}
	return place{e.CRD, e.Node.UID}
}

// has reports whether the list has an object of this name.
func (e *Evidence) has(name string) bool {
	return slices.ContainsFunc(e.Profiles, func(f Found) bool { return f.Name == name })
}

// lacks reports whether the evidence shows that a profile is not for this node any more.
func (e *Evidence) lacks(a *hostops.Accepted) bool {
	i := slices.IndexFunc(e.Profiles, func(f Found) bool { return f.Name == a.Profile.Name })
	if i < 0 {
		return slices.Contains(e.Gone, a.Profile.Name)
	}
	return !e.Profiles[i].follows(a, e.Node.Labels)
}

// follows reports whether the node still follows an accepted profile, given the object
// that now has its name. The selector of one that nothing is applied of now says nothing
// yet: that of what was applied does.
func (f *Found) follows(a *hostops.Accepted, node map[string]string) bool {
	if f.Profile == nil || f.Paused || f.Profile.Spec.IsPlan() {
		return selects(a.Profile.Spec.NodeSelector, node)
	}
	return selects(f.Profile.Spec.NodeSelector, node)
}

// seen is when and under what a profile was last seen to be for this node.
type seen struct {
	place place
	at    time.Time
}

// Memory is what was seen of profiles, for as long as the process lives. A new one
// trusts nothing: it waits longest.
type Memory struct {
	patience Patience
	last     time.Time // the evidence that was looked at last
	place    place     // what it showed
	since    time.Time // since when it has been that
	seen     map[string]seen
	away     map[string]time.Time // since when evidence shows a profile away
}

// NewMemory returns an empty memory.
func NewMemory(p Patience) *Memory {
	return &Memory{patience: p, seen: map[string]seen{}, away: map[string]time.Time{}}
}

// weigh takes new evidence in.
func (m *Memory) weigh(e *Evidence, accepted []hostops.Accepted) {
	if e == nil || !e.At.After(m.last) {
		return
	}
	m.last = e.At
	here := e.place()
	if here != m.place {
		m.place, m.since = here, e.At
		clear(m.away)
	}
	for i := range accepted {
		a := &accepted[i]
		name := a.Profile.Name
		if m.believed(name) && !e.has(name) {
			continue // nobody asked for it again
		}
		if here == (place{}) || !e.lacks(a) || !e.At.After(m.seen[name].at) {
			delete(m.away, name)
		} else if _, known := m.away[name]; !known {
			m.away[name] = e.At
		}
	}
}

// believed reports whether a profile has been away for long enough.
func (m *Memory) believed(name string) bool {
	since, away := m.away[name]
	if !away || m.last.Sub(since) < m.patience.Away {
		return false
	}
	return m.seen[name].place == m.place || m.last.Sub(m.since) >= m.patience.Moved
}

// forget drops what is known of profiles that nobody has to do with any more.
func (m *Memory) forget(gone func(name string) bool) {
	maps.DeleteFunc(m.seen, func(name string, _ seen) bool { return gone(name) })
	maps.DeleteFunc(m.away, func(name string, _ time.Time) bool { return gone(name) })
}

// see notes that a profile is for this node.
func (m *Memory) see(name string, v *View, now time.Time) {
	m.seen[name] = seen{place{v.CRD, v.Node.UID}, now}
	delete(m.away, name)
}
