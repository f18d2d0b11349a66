package machine

import (
	"context"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep waits for d or until ctx ends, and returns ctx's error then.
	Sleep(ctx context.Context, d time.Duration) error
}
