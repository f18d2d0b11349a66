package keep

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
)

const (
	settle      = 50 * time.Millisecond // the least time between two steps
	retryWatch  = 10 * time.Second      // after the host could not be watched
	longestWait = 10 * time.Minute      // without any event
)

// Loop takes a step whenever the host changed, or it is time to.
type Loop struct {
	Bell    *Bell
	Watcher *hostops.Watcher
	Log     *slog.Logger
	Now     func() time.Time
	// Step looks at everything. It returns when to take the next one although nothing
	// happened; zero if there is no reason to.
	Step func(context.Context, Ring) (next time.Time)
}

// Run takes steps until ctx ends.
func (l *Loop) Run(ctx context.Context) {
	var watching sync.WaitGroup
	watching.Go(func() { l.watch(ctx) })
	l.Bell.Ring(CauseStart)
	wait := longestWait
	for {
		ring, ok := l.Bell.Wait(ctx, wait)
		if !ok {
			break
		}
		next := l.Step(ctx, ring)
		wait = longestWait
		if !next.IsZero() {
			wait = min(wait, next.Sub(l.Now()))
		}
		Pause(ctx, settle)
	}
	watching.Wait()
}

// watch rings whenever the host changes. If it cannot, a step every so often has to do.
func (l *Loop) watch(ctx context.Context) {
	for ctx.Err() == nil {
		err := l.Watcher.Run(ctx, l.Bell.Ring)
		if err == nil {
			continue
		}
		l.Log.Warn("the host cannot be watched", "err", err)
		if Pause(ctx, retryWatch) {
			l.Bell.Ring(CauseTime)
		}
	}
}

// Pause waits, and reports whether ctx still goes on.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
