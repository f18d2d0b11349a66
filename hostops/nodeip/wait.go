package nodeip

import (
	"context"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// glance is how often the host is looked at while nothing is heard of a change: a message
// of the kernel can be lost.
const glance = 2 * time.Second

// Wait looks at the network until done says that it is as it should be, at most for the
// given time. It is woken by the kernel's messages. Only ctx's end and a network that
// cannot be read are errors; a time that is over is none.
func Wait(ctx context.Context, m *machine.Machine, most time.Duration, done func(*machine.Snapshot) bool) error {
	s, err := m.Network.Snapshot(ctx)
	if err != nil || done(&s) || most <= 0 {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := m.Network.Changes(ctx)
	if err != nil {
		return err
	}
	end := m.Clock.Now().Add(most)
	for {
		// Looked at after listening began, so that nothing falls in between.
		if s, err = m.Network.Snapshot(ctx); err != nil || done(&s) {
			return err
		}
		left := end.Sub(m.Clock.Now())
		if left <= 0 {
			return nil
		}
		if err := listen(ctx, m.Clock, min(left, glance), changes); err != nil {
			return err
		}
	}
}

// listen returns at a change or after a time.
func listen(ctx context.Context, clock machine.Clock, d time.Duration, changes <-chan struct{}) error {
	nap, wake := context.WithCancel(ctx)
	defer wake()
	slept := make(chan struct{})
	go func() {
		defer close(slept)
		_ = clock.Sleep(nap, d)
	}()
	select {
	case <-changes:
		wake()
		<-slept
	case <-slept:
	}
	return ctx.Err()
}
