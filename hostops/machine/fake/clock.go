package fake

import (
	"context"
	"slices"
	"time"
)

// Now implements machine.Clock. A dead process still reads the time: it has no way
// to answer otherwise.
func (p *Process) Now() time.Time { return p.host.Now() }

// timer is something that happens on a host at a time.
type timer struct {
	at time.Time
	do func()
}

// After lets something happen once the host's time has moved on by d: while a process
// sleeps. What happens may change the host.
func (h *Host) After(d time.Duration, do func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timers = append(h.timers, timer{h.now.Add(d), do})
	slices.SortStableFunc(h.timers, func(a, b timer) int { return a.at.Compare(b.at) })
}

// sleep moves the time, and gives up h.mu for what happens meanwhile.
func (h *Host) sleep(d time.Duration) {
	end := h.now.Add(d)
	for len(h.timers) > 0 && !h.timers[0].at.After(end) {
		next := h.timers[0]
		h.timers = h.timers[1:]
		h.now = next.at
		h.mu.Unlock()
		next.do()
		h.mu.Lock()
	}
	h.now = end
}

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
	p.host.sleep(d)
	return nil
}
