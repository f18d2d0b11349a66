package linux

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// onFileSystem adds to an error about a whole file system which one it is: a full
// /var is no use to know without its name.
func onFileSystem(fd int, err error) error {
	if !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT) && !errors.Is(err, unix.EROFS) {
		return err
	}
	if mount := mountOf(fd); mount != "" {
		return fmt.Errorf("%w (file system mounted at %s)", err, mount)
	}
	return err
}

// mountOf returns the mount point of a handle's file system as this process sees it,
// empty if the kernel does not say.
func mountOf(fd int) string {
	var x unix.Statx_t
	if unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &x) != nil || x.Mask&unix.STATX_MNT_ID == 0 {
		return ""
	}
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	id := strconv.AppendUint(nil, x.Mnt_id, 10)
	for line := range bytes.Lines(table) {
		f := bytes.Fields(line)
		if len(f) > 4 && bytes.Equal(f[0], id) {
			return string(f[4])
		}
	}
	return ""
}
