package hostops

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// watchAddress tells when the address that is kept comes or goes, until ctx ends. On a
// host that keeps none it looks at nothing. Where the network cannot be listened to, the
// poll of everything has to do.
func (w *Watcher) watchAddress(ctx context.Context, changed func(cause string)) {
	changes, err := w.machine.Network.Changes(ctx)
	if err != nil {
		return
	}
	was := w.addressThere(ctx)
	for range changes {
		if is := w.addressThere(ctx); is != was {
			was = is
			changed(CauseAddress)
		}
		// A node starts and stops pods all the time: what comes meanwhile is told once.
		if w.machine.Clock.Sleep(ctx, driftPoll) != nil {
			return
		}
	}
}

// addressThere reports whether an interface has what is kept; it does if nothing is kept,
// or cannot be read.
func (w *Watcher) addressThere(ctx context.Context) bool {
	saved, err := nodeip.ReadState(w.machine.Files)
	if err != nil || saved == nil {
		return true
	}
	addresses, err := nodeip.Parse(saved.IP)
	if err != nil {
		return true
	}
	s, err := w.machine.Network.Snapshot(ctx)
	if err != nil {
		return true
	}
	for _, a := range addresses {
		if !s.Has(a) {
			return false
		}
	}
	return true
}
