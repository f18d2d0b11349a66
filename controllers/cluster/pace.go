package cluster

import (
	"time"

	"golang.org/x/time/rate"
)

// How many changes of one object are written at once, and how often it is written when
// there is no end of them: a value that somebody changes each second must not become a
// write each second, on each node that it is changed on.
const (
	paceBurst = 20
	paceEvery = 15 * time.Second
)

// pace bounds how often an object is written. Writes that fail are not counted: they have a
// pace of their own.
type pace struct{ *rate.Limiter }

func newPace() pace { return pace{rate.NewLimiter(rate.Every(paceEvery), paceBurst)} }

// due returns how long the next write has to wait.
func (p pace) due() time.Duration {
	missing := 1 - p.Tokens()
	return max(time.Duration(missing*float64(paceEvery)), 0)
}

// wrote counts one write.
func (p pace) wrote() { p.Allow() }

// sooner returns the shorter of two waits, of which 0 is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
