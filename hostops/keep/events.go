package keep

import "log/slog"

// Event is what a line of a log is about, for programs that look for it: its words may change.
type Event string

// The events.
const (
	EventChanged Event = "changed" // something was written to the host
	EventWaiting Event = "waiting" // the kubelet is kept waiting for what is required
	EventUnmet   Event = "unmet"   // the kubelet was started, and what is required does not hold now
	EventHolds   Event = "holds"   // all that is required holds
)

// EventKey is the name under which a line has its event.
const EventKey = "event"

// Attr is what a line has of the event.
func (e Event) Attr() slog.Attr { return slog.String(EventKey, string(e)) }
