package keep

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
)

// The causes of a run, besides those that the host's watcher tells.
const (
	CauseStart   = "start"
	CauseCluster = "cluster" // what the cluster wishes may have changed
	CauseTime    = "time"
)

// Bell turns any number of events into one: whoever waits is woken once for all that
// were rung meanwhile. The zero value is not usable; see NewBell.
type Bell struct {
	mu   sync.Mutex
	rung Ring
	wake chan struct{}
}

// Ring is what the bell was rung for.
type Ring struct {
	// Causes are why, each once.
	Causes map[string]bool
	// Drift is when the first drift was noticed, zero if none was.
	Drift time.Time
}

// NewBell returns a bell that nobody has rung.
func NewBell() *Bell { return &Bell{wake: make(chan struct{}, 1)} }

// Ring wakes whoever waits. It never blocks.
func (b *Bell) Ring(cause string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung.Causes == nil {
		b.rung.Causes = map[string]bool{}
	}
	b.rung.Causes[cause] = true
	if cause == hostops.CauseDrift && b.rung.Drift.IsZero() {
		b.rung.Drift = time.Now()
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Wait returns when the bell was rung, or after at most the given time; ok is false when
// ctx has ended.
func (b *Bell) Wait(ctx context.Context, most time.Duration) (r Ring, ok bool) {
	timer := time.NewTimer(max(most, 0))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-b.wake:
	case <-timer.C:
	}
	if ctx.Err() != nil { // whatever else there is
		return Ring{}, false
	}
	return b.take(), true
}

func (b *Bell) take() Ring {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.rung
	b.rung = Ring{}
	if r.Causes == nil {
		r.Causes = map[string]bool{CauseTime: true}
	}
	return r
}

// Cause names a ring in metrics and logs: the one that says most.
func (r *Ring) Cause() string {
	for _, c := range []string{CauseStart, hostops.CauseDrift, hostops.CauseSwap, hostops.CauseMount, hostops.CauseFirewalld, hostops.CauseAddress, hostops.CauseLink, CauseCluster, hostops.CauseInput, hostops.CausePoll} {
		if r.Causes[c] {
			return c
		}
	}
	return CauseTime
}

// Only reports whether it was rung for nothing but these causes.
func (r *Ring) Only(causes ...string) bool {
	for c := range r.Causes {
		if !slices.Contains(causes, c) {
			return false
		}
	}
	return true
}
