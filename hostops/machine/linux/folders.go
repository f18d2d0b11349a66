package linux

import (
	"strings"

	"golang.org/x/sys/unix"
)

// folders are folders of sysctls that are kept open, by their path. The kernel looks up each
// name of a path anew, and asks each folder for leave: from the folder two levels above it,
// net.ipv4.conf.eth0.rp_filter is two names away instead of five.
type folders map[string]int // O_PATH handles

// maxFolders bounds the handles. All keys of all interfaces have a few folders.
const maxFolders = 64

// above returns the folder two levels above a key, and the key's path from there: root and
// the whole path where there is none, or no room for it. No folders are kept in nil.
func (f folders) above(root int, path string) (dir int, rest string) {
	name := twoAbove(path)
	if dir, ok := f[name]; ok {
		return dir, path[len(name)+1:]
	}
	if f == nil || name == "" || len(f) >= maxFolders {
		return root, path
	}
	dir, err := unix.Openat(root, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return root, path // opening the key says why
	}
	f[name] = dir
	return dir, path[len(name)+1:]
}

// forget closes the folder two levels above a key.
func (f folders) forget(path string) {
	name := twoAbove(path)
	if dir, ok := f[name]; ok {
		shut(dir)
		delete(f, name)
	}
}

// twoAbove returns net/ipv4/conf of net/ipv4/conf/eth0/rp_filter, and "" where there is none.
func twoAbove(path string) string {
	for range 2 {
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return path
}
