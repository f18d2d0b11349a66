package trace

import (
	"fmt"
	"path"
	"strings"
	"syscall"
)

// Call is a system call that changes the host.
type Call struct {
	Name string // as in strace: "renameat"
	// Path is what the call is about, and To the second one, of a rename or a link.
	// Both are absolute; an unlinked file is named as the kernel does.
	Path, To string
	// Sent: a message to another process, which changes the host through that.
	Sent bool
	// Errno is what the call returned, 0 if it did what it should or was never over.
	Errno syscall.Errno
	// Device and Inode are those of the file behind a descriptor, if the call has one.
	Device, Inode uint64
	// Handle is the descriptor, -1 if the call has none.
	Handle int
}

// String names the call, with the random part of temporary names left out: two runs that
// do the same have the same strings.
func (c Call) String() string {
	if c.To != "" {
		return fmt.Sprintf("%s %s to %s", c.Name, plain(c.Path), plain(c.To))
	}
	return c.Name + " " + plain(c.Path)
}

// Of reports whether the call is about a path.
func (c Call) Of(path string) bool { return c.Path == path || c.To == path }

// Temporary reports whether the call is about a file that has no final name yet.
func (c Call) Temporary() bool { return strings.HasSuffix(c.Path, tempSuffix) }

// Final is the path that a temporary file is written for; else the path itself.
func (c Call) Final() string {
	dir, name := path.Split(c.Path)
	base, ok := strings.CutPrefix(name, ".")
	if !ok || !c.Temporary() || len(base) < len(".")+tempDigits+len(tempSuffix) {
		return c.Path
	}
	return dir + base[:len(base)-len(".")-tempDigits-len(tempSuffix)]
}

const (
	tempSuffix = ".hostprofile~"
	tempDigits = 16
)

// plain replaces the random digits of a temporary name.
func plain(name string) string {
	rest, ok := strings.CutSuffix(name, tempSuffix)
	if !ok || len(rest) < tempDigits {
		return name
	}
	return rest[:len(rest)-tempDigits] + "*" + tempSuffix
}
