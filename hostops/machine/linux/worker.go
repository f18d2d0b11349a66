package linux

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// worker is a thread with a table of open files of its own. It ends, and its files are
// closed, when there are no more jobs.
//
// In its table are its keys and, as in every other, what the runtime of Go needs: the runtime
// wakes its poller from any thread.
type worker struct {
	keys keys
	jobs chan func(*keys)
}

// run says when the thread is ready. It never gives it back: the thread ends with the function.
func (w *worker) run(ready chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		// The process's first thread: /proc/self shows its files as those of all.
		defer runtime.UnlockOSThread()
		other := make(chan error)
		go w.run(other)
		ready <- <-other
		return
	}
	err := w.separate()
	ready <- err
	if err != nil {
		return
	}
	for job := range w.jobs {
		job(&w.keys)
	}
}

// separate gives the thread a table of its own, without the files that only the process needs:
// locks, pipes and connections end when the last of their handles is closed.
func (w *worker) separate() error {
	if err := unix.Unshare(unix.CLONE_FILES); err != nil {
		return fmt.Errorf("unshare the table of files: %w", err)
	}
	names, err := list(unix.AT_FDCWD, threadFiles)
	if err != nil {
		return fmt.Errorf("list %s: %w", threadFiles, err)
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil {
			return err
		}
		if fd > unix.Stderr && fd != w.keys.dir && !isPollers(name) {
			shut(fd)
		}
	}
	return nil
}

const threadFiles = "/proc/thread-self/fd"

// isPollers reports whether an open file is one of the runtime's poller.
func isPollers(name string) bool {
	target, err := os.Readlink(threadFiles + "/" + name)
	return err != nil || target == "anon_inode:[eventpoll]" || target == "anon_inode:[eventfd]"
}

// pollerIsReady makes the runtime open the files of its poller, which it does at the first
// use, and reports whether it has.
func pollerIsReady() bool {
	r, w, err := os.Pipe()
	if err != nil {
		return false
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	return r.SetDeadline(time.Time{}) == nil
}
