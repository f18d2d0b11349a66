package linux

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// nudge is how often a swapoff whose context has ended is interrupted.
const nudge = 10 * time.Millisecond

// SwapOff runs swapoff(2) on a thread of its own. The call ends early only by a
// signal: the kernel then takes the area into use again and answers EINTR, and
// SwapOff returns the context's error. Pages that were moved stay moved.
func (k *kernel) SwapOff(ctx context.Context, path string) error {
	handle, err := k.root.follow(path)
	if err != nil {
		return failed("swapoff", path, err)
	}
	defer shut(handle)
	if err := ctx.Err(); err != nil {
		return failed("swapoff", path, err)
	}
	thread, done := make(chan int, 1), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		thread <- unix.Gettid()
		done <- swapCall(unix.SYS_SWAPOFF, handle, 0)
	}()
	err = interruptible(ctx, <-thread, done)
	if errors.Is(err, unix.EINTR) && ctx.Err() != nil {
		err = ctx.Err()
	}
	return failed("swapoff", path, err)
}

// interruptible waits for a call, and sends its thread signals once ctx has ended.
// SIGURG is the one that Go's runtime itself sends to threads and expects anywhere.
func interruptible(ctx context.Context, thread int, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	tick := time.NewTicker(nudge)
	defer tick.Stop()
	for {
		_ = unix.Tgkill(os.Getpid(), thread, unix.SIGURG)
		select {
		case err := <-done:
			return err
		case <-tick.C:
		}
	}
}

// The flags of swapon(2).
const (
	swapFlagPrefer   = 0x8000
	swapPriorityMask = 0x7fff
)

func (k *kernel) SwapOn(path string, priority int) error {
	handle, err := k.root.follow(path)
	if err != nil {
		return failed("swapon", path, err)
	}
	defer shut(handle)
	flags := 0
	if priority >= 0 {
		flags = swapFlagPrefer | min(priority, swapPriorityMask)
	}
	return failed("swapon", path, swapCall(unix.SYS_SWAPON, handle, flags))
}

// swapCall names the file by its handle: the kernel compares inodes, so it does not
// matter through which mount or link it is reached.
func swapCall(number uintptr, handle, flags int) error {
	name, err := unix.BytePtrFromString("/proc/self/fd/" + strconv.Itoa(handle))
	if err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(number, uintptr(unsafe.Pointer(name)), uintptr(flags), 0); errno != 0 {
		return errno
	}
	return nil
}
