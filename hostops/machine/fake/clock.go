package fake

import (
	"context"
	"time"
)

// Now implements machine.Clock. A dead process still reads the time: it has no way
// to answer otherwise.
func (p *Process) Now() time.Time { return p.host.Now() }

// Sleep implements machine.Clock: it moves the host's time and returns at once.
func (p *Process) Sleep(ctx context.Context, d time.Duration) error {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	p.host.now = p.host.now.Add(d)
	return nil
}
