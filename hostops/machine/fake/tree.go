package fake

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// node is a file, a directory or a link. A node is never changed: a change makes
// new nodes up to the root, so a copy of the whole tree is a copy of one pointer.
type node struct {
	name    string
	mode    fs.FileMode
	body    string // content, or the target of a link
	kids    []*node
	owner   machine.Owner
	time    time.Time
	mounted bool // something is mounted over it
}

func newFile(name, body string, mode fs.FileMode, now time.Time) *node {
	return &node{name: name, mode: mode.Perm(), body: body, owner: machine.Owner{Links: 1}, time: now}
}

func newDir(name string, mode fs.FileMode, now time.Time) *node {
	return &node{name: name, mode: fs.ModeDir | bits(mode), owner: machine.Owner{Links: 2}, time: now}
}

// bits are what chmod sets of a mode.
func bits(mode fs.FileMode) fs.FileMode {
	return mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
}

// emptyTree has the directories of a host on which nothing is installed.
func emptyTree(now time.Time) *node {
	root := newDir("", 0o755, now)
	for _, dir := range []string{
		"/etc", "/etc/sysctl.d", "/etc/modules-load.d", "/etc/modprobe.d", "/lib", "/lib/modules",
		"/run", "/usr", "/usr/lib", "/usr/lib/sysctl.d", "/var", "/var/lib",
	} {
		parent, name := split(dir)
		root = root.put(parent, newDir(name, 0o755, now))
	}
	return root
}

func (n *node) kid(name string) *node {
	if i, ok := n.search(name); ok {
		return n.kids[i]
	}
	return nil
}

func (n *node) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n.kids, name, func(k *node, name string) int {
		return strings.Compare(k.name, name)
	})
}

// with returns a copy of a directory in which kid is, in place of one of its name.
func (n *node) with(kid *node) *node {
	c := *n
	i, ok := n.search(kid.name)
	if ok {
		c.kids = slices.Clone(n.kids)
		c.kids[i] = kid
	} else {
		c.kids = slices.Insert(slices.Clip(n.kids), i, kid)
	}
	return &c
}

func (n *node) without(name string) *node {
	c := *n
	if i, ok := n.search(name); ok {
		c.kids = slices.Delete(slices.Clone(n.kids), i, i+1)
	}
	return &c
}

// put returns a copy of the tree with leaf in directory dir, if dir is there.
func (n *node) put(dir string, leaf *node) *node {
	return n.edit(dir, func(d *node) *node { return d.with(leaf) })
}

// drop returns a copy of the tree without the named entry of directory dir.
func (n *node) drop(dir, name string) *node {
	return n.edit(dir, func(d *node) *node { return d.without(name) })
}

func (n *node) edit(dir string, change func(*node) *node) *node {
	name, rest := cut(dir)
	if name == "" {
		return change(n)
	}
	kid := n.kid(name)
	if kid == nil || !kid.mode.IsDir() {
		return n
	}
	return n.with(kid.edit(rest, change))
}

// cut splits the first element off a path.
func cut(path string) (name, rest string) {
	name, rest, _ = strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name, rest
}

// split returns the directory, without its last slash, and the name of a path.
func split(path string) (dir, name string) {
	i := strings.LastIndexByte(path, '/')
	return path[:i], path[i+1:]
}

// walk returns the node at a path without following any link: a link on the way is
// ErrNotRegular.
func (n *node) walk(path string) (*node, error) {
	at := n
	for rest := path; ; {
		var name string
		if name, rest = cut(rest); name == "" {
			return at, nil
		}
		if at.mode&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s is a symbolic link: %w", at.name, machine.ErrNotRegular)
		}
		if at = at.kid(name); at == nil {
			return nil, fs.ErrNotExist
		}
	}
}

// resolve returns the node at a path and where it really is, all links followed,
// absolute ones from the host's root.
func (n *node) resolve(path string) (*node, error) {
	at, dir, rest := n, "", path
	for hops := 0; ; {
		var name string
		if name, rest = cut(rest); name == "" {
			return at, nil
		}
		if at = at.kid(name); at == nil {
			return nil, fs.ErrNotExist
		}
		if at.mode&fs.ModeSymlink == 0 {
			dir += "/" + name
			continue
		}
		if hops++; hops > 40 {
			return nil, fmt.Errorf("%s: too many links", path)
		}
		rest = join(dir, at.body) + "/" + rest
		at, dir = n, ""
	}
}

// join is the path of a link's target, seen from the link's directory, within root.
func join(dir, target string) string {
	if !strings.HasPrefix(target, "/") {
		target = dir + "/" + target
	}
	var out []string
	for name := range strings.SplitSeq(target, "/") {
		switch name {
		case "", ".":
		case "..":
			out = out[:max(0, len(out)-1)]
		default:
			out = append(out, name)
		}
	}
	return "/" + strings.Join(out, "/")
}
