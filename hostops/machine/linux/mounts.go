package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// mounts implements machine.Mounts. Paths are those of the host's first process, so no
// root folder comes before them.
type mounts struct{}

// firstNamespace is the mount namespace of the host's first process.
const firstNamespace = "/proc/1/ns/mnt"

func (mounts) MountAt(path string) (m machine.Mount, err error) {
	err = asFirst(func() (err error) {
		m, err = mountAt(path)
		return err
	})
	return m, failed("look at the mount of", path, err)
}

func (mounts) MountBPF(path string) error {
	return failed("mount a BPF file system on", path, asFirst(func() error { return mountBPF(path) }))
}

func (mounts) Share(path string, deep bool) error {
	flags := uintptr(unix.MS_SHARED)
	if deep {
		flags |= unix.MS_REC
	}
	return failed("make shared", path, asFirst(func() error { return unix.Mount("", path, "", flags, "") }))
}

// asFirst calls f on a thread in the mount namespace of the host's first process.
func asFirst(f func() error) error {
	return onSpareThread(func() error {
		if err := enterFirst(); err != nil {
			return fmt.Errorf("enter %s: %w", firstNamespace, err)
		}
		return f()
	})
}

// onSpareThread calls f on a thread that serves nobody else: it is never unlocked, and so
// ends with f. The main thread would not end, and /proc/self speaks of that one.
func onSpareThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			done <- onSpareThread(f) // on another thread, as this one is taken
			return
		}
		done <- f()
	}()
	return <-done
}

// enterFirst moves the calling thread. The kernel moves none that shares its root and
// working folder with others.
func enterFirst() error {
	fd, err := unix.Open(firstNamespace, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer shut(fd)
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return err
	}
	return unix.Setns(fd, unix.CLONE_NEWNS)
}

// mountAt finds a mount by the number that the kernel gives for an open folder: of
// several mounts on one path, that is the one that is seen.
func mountAt(path string) (machine.Mount, error) {
	if err := clean(path); err != nil {
		return machine.Mount{}, err
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return machine.Mount{}, err
	}
	defer shut(fd)
	names, err := list(fd, ".")
	if err != nil {
		return machine.Mount{}, err
	}
	info, err := mountInfo(fd)
	if err != nil {
		return machine.Mount{}, err
	}
	return machine.Mount{
		Filesystem: info.FSType, Own: info.Mountpoint == path, Empty: len(names) == 0,
		Shared: propagates(info, "shared:"), Slave: propagates(info, "master:"),
	}, nil
}

// mountInfo returns the line of /proc/thread-self/mountinfo for the mount of a handle.
func mountInfo(fd int) (*mountinfo.Info, error) {
	var s unix.Statx_t
	if err := unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &s); err != nil {
		return nil, err
	}
	if s.Mask&unix.STATX_MNT_ID == 0 {
		return nil, fmt.Errorf("this kernel gives mounts no number: %w", errors.ErrUnsupported)
	}
	file, err := os.Open("/proc/thread-self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	found, err := mountinfo.GetMountsFromReader(file, func(i *mountinfo.Info) (skip, stop bool) {
		same := uint64(i.ID) == s.Mnt_id
		return !same, same
	})
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("mount %d is not in mountinfo: %w", s.Mnt_id, fs.ErrNotExist)
	}
	return found[0], nil
}

// propagates reports whether a mount has an optional field, such as "shared:17".
func propagates(info *mountinfo.Info, field string) bool {
	for word := range strings.FieldsSeq(info.Optional) {
		if strings.HasPrefix(word, field) {
			return true
		}
	}
	return false
}

// mountBPF mounts as systemd does at boot. What is mounted on a shared mount is shared
// already; on a private one it is not.
func mountBPF(path string) error {
	m, err := mountAt(path)
	if err != nil {
		return err
	}
	if m.Own || !m.Empty {
		return fmt.Errorf("there is something (%s): %w", m.Filesystem, fs.ErrExist)
	}
	if err := unix.Mount("bpf", path, "bpf", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0700"); err != nil {
		return err
	}
	return unix.Mount("", path, "", unix.MS_SHARED, "")
}
