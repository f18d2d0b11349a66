package linux

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// root is the directory that no path leaves. It walks by itself, one element at a
// time without following anything, and resolves links in its own terms: openat2,
// which would do the same, is missing on the older kernels that we accept.
type root struct {
	fd   int
	path string
}

// maxLinks is how many links a path may lead over, as in the kernel.
const maxLinks = 40

// clean refuses what is not a plain absolute path.
func clean(p string) error {
	if !strings.HasPrefix(p, "/") || path.Clean(p) != p || strings.ContainsRune(p, 0) {
		return fmt.Errorf("not a clean absolute path: %w", fs.ErrInvalid)
	}
	return nil
}

// elements splits a clean absolute path.
func elements(p string) []string {
	if p == "/" {
		return nil
	}
	return strings.Split(p[1:], "/")
}

// follow opens a path with all links followed, within the root. The handle is an
// O_PATH one, and what it stands for was not opened: no device or pipe was touched.
func (r *root) follow(p string) (fd int, err error) {
	return r.walk(p, func(dir, _, target string) (string, error) {
		if !strings.HasPrefix(target, "/") {
			target = dir + "/" + target
		}
		return path.Clean(target), nil
	})
}

// strict opens a path on which no element may be a link.
func (r *root) strict(p string) (fd int, err error) {
	return r.walk(p, func(dir, name, target string) (string, error) {
		link := path.Join(dir, name)
		return "", fmt.Errorf("%s is a symbolic link to %s: %w", link, target, machine.ErrNotRegular)
	})
}

// walk opens a path. link answers for a link in dir with the path to take instead.
func (r *root) walk(p string, link func(dir, name, target string) (string, error)) (int, error) {
	if err := clean(p); err != nil {
		return -1, err
	}
	names := elements(p)
	for range maxLinks + 1 {
		fd, n, err := r.descend(names)
		if err != nil || n == len(names) {
			return fd, err
		}
		target, err := readlink(fd)
		shut(fd)
		if err != nil {
			return -1, err
		}
		instead, err := link("/"+strings.Join(names[:n], "/"), names[n], target)
		if err != nil {
			return -1, err
		}
		names = append(elements(instead), names[n+1:]...)
	}
	return -1, unix.ELOOP
}

// descend opens names one below the other up to the first link, and says at which it
// stopped: at len(names) if there was none.
func (r *root) descend(names []string) (fd, n int, err error) {
	if len(names) == 0 {
		fd, err = openPath(r.fd, ".")
		return fd, 0, err
	}
	at, n, err := r.folders(names[:len(names)-1])
	if err != nil {
		return -1, n, err
	}
	fd, err = openPath(at, names[n])
	r.leave(at)
	if err != nil {
		return -1, n, err
	}
	link, err := isLink(fd)
	switch {
	case err == nil && link:
		return fd, n, nil
	case err == nil && n < len(names)-1:
		err = unix.ENOTDIR
	}
	if err != nil {
		shut(fd)
		return -1, n, err
	}
	return fd, len(names), nil
}

// folders opens names one below the other up to the first that is no folder, and says at
// which it stopped. The handle may be that of the root: leave closes it.
func (r *root) folders(names []string) (fd, n int, err error) {
	fd = r.fd
	for n, name := range names {
		next, err := unix.Openat(fd, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err == unix.ENOTDIR {
			return fd, n, nil
		}
		r.leave(fd)
		if err != nil {
			return -1, n, err
		}
		fd = next
	}
	return fd, len(names), nil
}

// leave closes a handle on the way down.
func (r *root) leave(fd int) {
	if fd != r.fd {
		shut(fd)
	}
}

func isLink(fd int) (bool, error) {
	var s unix.Stat_t
	err := unix.Fstat(fd, &s)
	return s.Mode&unix.S_IFMT == unix.S_IFLNK, err
}

func openPath(dir int, name string) (int, error) {
	return unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}

// readlink reads the link that an O_PATH handle stands for.
func readlink(fd int) (string, error) {
	b := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", b)
	return string(b[:max(n, 0)]), err
}

// parent opens the directory of p for reading, with or without links on the way, and
// returns the last element.
func (r *root) parent(p string, walk func(string) (int, error)) (fd int, name string, err error) {
	at, name, err := above(p, walk)
	if err != nil {
		return -1, "", err
	}
	defer shut(at)
	fd, err = unix.Openat(at, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return fd, name, err
}

// above opens the directory of p by walk, and returns the last element.
func above(p string, walk func(string) (int, error)) (fd int, name string, err error) {
	if err := clean(p); err != nil {
		return -1, "", err
	}
	dir, name := path.Split(p)
	if name == "" {
		return -1, "", fmt.Errorf("the root itself: %w", fs.ErrInvalid)
	}
	fd, err = walk(path.Clean(dir))
	return fd, name, err
}

// reopen opens what an O_PATH handle stands for.
func reopen(handle, flags int) (int, error) {
	return unix.Open("/proc/self/fd/"+strconv.Itoa(handle), flags|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
}

// shut closes a handle through which nothing was written: how that ends does not
// matter to anybody.
func shut(fd int) { _ = unix.Close(fd) }
