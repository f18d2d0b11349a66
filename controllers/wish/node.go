package wish

import (
	"time"
)

// The annotations on a Node that its agent obeys.
const (
	// AnnotationPausedUntil is a time (RFC 3339) until which the agent writes nothing.
	AnnotationPausedUntil = "hostprofile.io/paused-until"
	// AnnotationDesiredState with the value Removed makes the agent give everything back
	// and stay out until the annotation is gone.
	AnnotationDesiredState = "hostprofile.io/desired-state"
	desiredRemoved         = "Removed"
)

// MaxPause is how long the annotation paused-until counts at most.
const MaxPause = 24 * time.Hour

// Node is the Node object of this host.
type Node struct {
	UID    string
	Labels map[string]string
	// MachineID is what the kubelet reported, empty before it did.
	MachineID string
	// Addresses are those by which the cluster knows the node.
	Addresses Addresses
	// Removed: everything is to be given back.
	Removed bool
	// PausedUntil is the time of the annotation, zero if there is none that can be read.
	PausedUntil time.Time
}

// Addresses are those by which the cluster knows a node.
type Addresses struct {
	InternalIPs []string
	// Writer is who writes them, in words; empty if it is the kubelet.
	Writer string
}

// NodeOf reads what the annotations of a Node ask for.
func NodeOf(uid string, labels, annotations map[string]string, machineID string) Node {
	n := Node{UID: uid, Labels: labels, MachineID: machineID}
	n.Removed = annotations[AnnotationDesiredState] == desiredRemoved
	if t, err := time.Parse(time.RFC3339, annotations[AnnotationPausedUntil]); err == nil {
		n.PausedUntil = t
	}
	return n
}

// Pause is a pause of the whole node. It remembers when it first saw the annotation, so
// that one with a time in the far future ends after MaxPause.
type Pause struct{ asked, seen time.Time }

// Until returns when the pause that the node asks for ends; zero if there is none now.
func (p *Pause) Until(n *Node, now time.Time) time.Time {
	if n == nil || n.PausedUntil.IsZero() {
		*p = Pause{}
		return time.Time{}
	}
	if !n.PausedUntil.Equal(p.asked) {
		*p = Pause{asked: n.PausedUntil, seen: now}
	}
	end := p.asked
	if latest := p.seen.Add(MaxPause); latest.Before(end) {
		end = latest
	}
	if !now.Before(end) {
		return time.Time{}
	}
	return end
}
