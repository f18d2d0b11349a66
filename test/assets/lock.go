package assets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

const lockPoll = 200 * time.Millisecond

// lock takes the exclusive lock of the file at path, which it creates and never
// removes, and returns what releases it. When another holder, in this process or
// another, makes it wait, it calls waiting once; it gives up when ctx ends. The
// kernel releases the lock of a process that dies.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the build lock: %w", err)
	}
	if err := flock(ctx, file, waiting); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = file.Close() }, nil
}

// flock polls, because a blocking flock(2) cannot be told about ctx.
func flock(ctx context.Context, file *os.File, waiting func()) error {
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		waiting()
		waiting = func() {}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-poll.C:
		}
	}
}
