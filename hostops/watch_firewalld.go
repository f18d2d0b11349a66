package hostops

import (
	"context"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// retryFirewalld is how long to wait for a message bus that cannot be listened to. The
// poll looks at firewalld too, so that what happens meanwhile is only noticed later.
const retryFirewalld = 10 * time.Second

// Reloads counts how often somebody reloaded or restarted firewalld.
type Reloads struct {
	Count int
	Last  time.Time
}

// Reloads returns what was seen since Run began. We never reload it ourselves.
func (w *Watcher) Reloads() Reloads {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reloads
}

// watchFirewalld tells what happens to firewalld, until ctx ends.
func (w *Watcher) watchFirewalld(ctx context.Context, changed func(cause string)) {
	for ctx.Err() == nil {
		events, err := w.machine.Firewall.FirewallEvents(ctx)
		if err == nil {
			w.hear(events, changed)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryFirewalld):
		}
	}
}

// hear passes on what happens. The end of firewalld is left to the poll: after it there is
// nothing to bind to, and in a restart its tool would edit the files that it is reading.
func (w *Watcher) hear(events <-chan machine.FirewallEvent, changed func(cause string)) {
	for e := range events {
		if e == machine.FirewallEnded {
			continue
		}
		if e == machine.FirewallReloaded || e == machine.FirewallStarted {
			w.mu.Lock()
			w.reloads.Count++
			w.reloads.Last = w.machine.Clock.Now()
			w.mu.Unlock()
		}
		changed(CauseFirewalld)
	}
}
