package control

import (
	"context"
	"testing"
	"time"
)

// Start starts a control plane for one test, and stops it after the test. The test is
// skipped with -short.
func Start(t testing.TB, options ...Option) *Plane {
	t.Helper()
	SkipIfShort(t)
	ctx, cancel := inTime(t)
	defer cancel()
	p, err := Launch(ctx, t.Output(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Errorf("stop the control plane: %v", err)
		}
	})
	return p
}

// SkipIfShort skips a test that needs a control plane.
func SkipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: needs a real API server, minutes to build when it is not cached")
	}
}

// inTime leaves the test time to say that building took too long.
func inTime(t testing.TB) (context.Context, context.CancelFunc) {
	if timed, ok := t.(*testing.T); ok {
		if deadline, ok := timed.Deadline(); ok {
			return context.WithDeadline(t.Context(), deadline.Add(-30*time.Second))
		}
	}
	return context.WithCancel(t.Context())
}
