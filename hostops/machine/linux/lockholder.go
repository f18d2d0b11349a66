package linux

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// kernelLocks lists the locks that processes hold. To try a lock is no way of looking: it
// keeps out whoever tries it at the same time.
const kernelLocks = "/proc/locks"

// Holder implements machine.Locks.
func (l *locks) Holder(path string) (string, error) {
	dir, name, err := l.root.parent(path, l.root.strict)
	if errors.Is(err, unix.ENOENT) {
		return "", nil
	}
	if err != nil {
		return "", l.failed(path, err)
	}
	defer shut(dir)
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return "", nil
	}
	if err != nil {
		return "", l.failed(path, err)
	}
	defer shut(fd)
	held, err := flocked(fd)
	if err != nil {
		return "", l.failed(path, err)
	}
	if !held {
		return "", nil
	}
	return readNote(fd), nil
}

// flocked reports whether the kernel lists a flock on an open file.
func flocked(fd int) (bool, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return false, err
	}
	text, err := os.ReadFile(kernelLocks)
	if err != nil {
		return false, err
	}
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(st.Dev), unix.Minor(st.Dev), st.Ino)
	for line := range strings.Lines(string(text)) {
		// "1: FLOCK  ADVISORY  WRITE 2211 00:1a:1234 0 EOF"; who waits has "->" before FLOCK.
		f := strings.Fields(line)
		if len(f) > 5 && f[1] == "FLOCK" && f[5] == file {
			return true, nil
		}
	}
	return false, nil
}
