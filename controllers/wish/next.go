package wish

import (
	"cmp"
	"slices"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
)

// View is what is known of the cluster at one moment.
type View struct {
	// Synced: Profiles were listed at least once. Else nothing is known of them.
	Synced   bool
	Profiles []Found
	// CRD is the uid of the CRD when the profiles were listed, empty if unknown.
	CRD string
	// Node is nil if it is not known, or does not exist.
	Node *Node
	// Evidence is the latest, nil if there is none.
	Evidence *Evidence
}

// State is how a profile stands on this node, as far as the cluster decides.
type State int

// The states of a profile.
const (
	Enforced State = iota
	Paused
	Planned
	// NotUnderstood: the last generation that was understood stays in force, if any.
	NotUnderstood
	// Releasing: it seems to be gone, and is enforced until that is believed.
	Releasing
)

// Profile is one profile of this node.
type Profile struct {
	Name string
	// Generation is the one that the node follows, 0 if it follows none.
	Generation int64
	State      State
	Problem    string
}

// Decision is what to follow now.
type Decision struct {
	// Accepted are sorted by name.
	Accepted []hostops.Accepted
	// Profiles are all that concern this node, sorted by name.
	Profiles []Profile
	// Preview is Accepted as it would be if nothing was planned or paused; nil if nothing
	// is.
	Preview []hostops.Accepted
	// Doubtful are the accepted profiles that seem to be gone: evidence is needed.
	Doubtful []string
}

// Next decides what this host follows next, from what it followed last. Without a list
// and a Node it goes on with that.
func (m *Memory) Next(v View, last []hostops.Accepted, now time.Time) Decision {
	d := &decision{memory: m, view: &v, now: now, last: map[string]*hostops.Accepted{}, preview: []hostops.Accepted{}}
	for i := range last {
		d.last[last[i].Profile.Name] = &last[i]
	}
	if !v.Synced || v.Node == nil {
		d.goOn(last)
	} else {
		m.weigh(v.Evidence, last)
		d.decide()
	}
	return d.sorted()
}

// decision is one in the making.
type decision struct {
	Decision
	memory  *Memory
	view    *View
	now     time.Time
	last    map[string]*hostops.Accepted
	preview []hostops.Accepted
	differs bool // the preview from what is accepted
}

func (d *decision) goOn(last []hostops.Accepted) {
	for i := range last {
		d.keep(&last[i], Enforced, "")
	}
}

func (d *decision) decide() {
	found := map[string]bool{}
	for i := range d.view.Profiles {
		f := &d.view.Profiles[i]
		found[f.Name] = true
		d.take(f)
	}
	for name, a := range d.last {
		if !found[name] {
			d.doubt(a)
		}
	}
	d.memory.forget(func(name string) bool { return !found[name] && d.last[name] == nil })
}

// take decides about one profile that the cluster has.
func (d *decision) take(f *Found) {
	old := d.last[f.Name]
	node := d.view.Node.Labels
	switch {
	case old != nil && !f.follows(old, node):
		d.doubt(old)
	case f.Profile == nil && old != nil:
		d.memory.see(f.Name, d.view, d.now)
		d.keep(old, NotUnderstood, f.Problem)
	case f.Profile == nil && f.mayConcern(node):
		d.Profiles = append(d.Profiles, Profile{Name: f.Name, State: NotUnderstood, Problem: f.Problem})
	case f.Profile != nil && (old != nil || selects(f.Profile.Spec.NodeSelector, node)):
		d.memory.see(f.Name, d.view, d.now)
		d.follow(f, old)
	}
}

// follow takes over a profile that is understood and for this node. One that is paused
// or a plan holds what it had applied, also where its selector is another one now, and takes
// no other part.
func (d *decision) follow(f *Found, old *hostops.Accepted) {
	now := hostops.Accepted{UID: f.UID, Profile: *f.Profile}
	state := Enforced
	switch {
	case f.Profile.Spec.IsPlan():
		state = Planned
	case f.Paused:
		state = Paused
	}
	if selects(f.Profile.Spec.NodeSelector, d.view.Node.Labels) {
		d.preview = append(d.preview, now)
	}
	d.Profiles = append(d.Profiles, Profile{Name: f.Name, Generation: f.Generation, State: state})
	if state == Enforced {
		d.Accepted = append(d.Accepted, now)
		return
	}
	d.differs = true
	if old != nil {
		d.Accepted = append(d.Accepted, hostops.Accepted{UID: f.UID, Hold: true, Profile: old.Profile})
	}
}

// doubt keeps an accepted profile that seems to be gone, until that is believed. It is
// believed from then on: whoever asks may not be able to act on it yet.
func (d *decision) doubt(a *hostops.Accepted) {
	if d.memory.believed(a.Profile.Name) {
		return
	}
	d.Doubtful = append(d.Doubtful, a.Profile.Name)
	d.keep(a, Releasing, "")
}

// keep goes on with a profile as it was accepted.
func (d *decision) keep(a *hostops.Accepted, s State, problem string) {
	if s == Enforced && a.Hold {
		s = Paused
	}
	d.Accepted = append(d.Accepted, *a)
	d.preview = append(d.preview, *a)
	d.Profiles = append(d.Profiles, Profile{Name: a.Profile.Name, Generation: a.Profile.Generation, State: s, Problem: problem})
}

func (d *decision) sorted() Decision {
	byName := func(a, b hostops.Accepted) int { return cmp.Compare(a.Profile.Name, b.Profile.Name) }
	slices.SortFunc(d.Accepted, byName)
	slices.SortFunc(d.Profiles, func(a, b Profile) int { return cmp.Compare(a.Name, b.Name) })
	slices.Sort(d.Doubtful)
	if d.differs {
		slices.SortFunc(d.preview, byName)
		d.Preview = d.preview
	}
	return d.Decision
}
