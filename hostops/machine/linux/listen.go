package linux

import (
	"context"
	"time"
)

// listenAgain is how long to wait when the kernel's messages cannot be listened to again.
const listenAgain = time.Second

// listener subscribes to messages of the kernel. hear passes them on until the
// subscription ends, and leaves nothing of it behind.
type listener func(ctx context.Context) (hear func(), err error)

// keep hears until ctx ends. The library gives a socket up that has overflowed, as it may
// while a node starts many pods: the subscription is made anew, and then missed is called.
func (l listener) keep(ctx context.Context, hear, missed func()) {
	for ok := true; ok; missed() {
		hear()
		hear, ok = l.again(ctx)
	}
}

func (l listener) again(ctx context.Context) (hear func(), ok bool) {
	for ctx.Err() == nil {
		if hear, err := l(ctx); err == nil {
			return hear, true
		}
		_ = clock{}.Sleep(ctx, listenAgain) // the end of ctx is seen above
	}
	return nil, false
}
