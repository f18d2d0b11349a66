package fake

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// files is the host's tree, and what of it a power cut would leave.
type files struct {
	root    *node
	durable *node // nil: the same as root
}

func (f *files) clone() files { return *f }

// set changes the tree. A change that is not durable is lost by a power cut.
func (f *files) set(durable bool, change func(*node) *node) {
	if f.durable == nil && durable {
		f.root = change(f.root)
		return
	}
	if durable {
		if f.durable != nil {
			f.durable = change(f.durable)
		}
	} else if f.durable == nil {
		f.durable = f.root
	}
	f.root = change(f.root)
}

// dies reports whether a path is gone after any restart, so that it does not matter
// whether it is durable.
func dies(path string) bool { return strings.HasPrefix(path, "/run/") }

// touch makes a file as a lock does: nobody relies on it.
func (f *files) touch(path, body string, now time.Time) {
	dir, name := split(path)
	f.set(dies(path), func(n *node) *node { return n.put(dir, newFile(name, body, 0o600, now)) })
}

// wrong returns an error that names what was tried, or nil.
func wrong(op, path string, err error) error {
	if err == nil || errors.Is(err, ErrDead) {
		return err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

func valid(p string) error {
	if !strings.HasPrefix(p, "/") || path.Clean(p) != p {
		return fs.ErrInvalid
	}
	return nil
}

// look finds a node, with or without following links.
func (p *Process) look(op, path string, find func(*node, string) (*node, error)) (*node, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := valid(path); err != nil {
		return nil, wrong(op, path, err)
	}
	if err := p.host.faults.reads[path]; err != nil {
		return nil, wrong(op, path, err)
	}
	n, err := find(p.host.files.root, path)
	return n, wrong(op, path, err)
}

// Read implements machine.Files.
func (p *Process) Read(path string) ([]byte, error) {
	n, err := p.look("read", path, (*node).resolve)
	switch {
	case err != nil:
		return nil, err
	case !n.mode.IsRegular():
		return nil, wrong("read", path, machine.ErrNotRegular)
	case len(n.body) > machine.MaxFileSize:
		return nil, wrong("read", path, fmt.Errorf("larger than %d bytes", machine.MaxFileSize))
	}
	return []byte(n.body), nil
}

// Lstat implements machine.Files. Links in the path's directory are followed.
func (p *Process) Lstat(path string) (fs.FileInfo, error) {
	n, err := p.look("lstat", path, (*node).lresolve)
	if err != nil {
		return nil, err
	}
	return info{n}, nil
}

// ReadDir implements machine.Files.
func (p *Process) ReadDir(path string) ([]string, error) {
	n, err := p.look("readdir", path, (*node).resolve)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, wrong("readdir", path, machine.ErrNotRegular)
	}
	names := make([]string, 0, len(n.kids))
	for _, kid := range n.kids {
		names = append(names, kid.name)
	}
	return names, nil
}

// Readlink implements machine.Files.
func (p *Process) Readlink(path string) (string, error) {
	n, err := p.look("readlink", path, (*node).lresolve)
	if err != nil {
		return "", err
	}
	if n.mode&fs.ModeSymlink == 0 {
		return "", wrong("readlink", path, machine.ErrInvalid)
	}
	return n.body, nil
}

// lresolve follows the links of a path but for its last element.
func (n *node) lresolve(path string) (*node, error) {
	dir, name := split(path)
	parent, err := n.resolve(dir)
	if err != nil || name == "" {
		return parent, err
	}
	if kid := parent.kid(name); kid != nil {
		return kid, nil
	}
	return nil, fs.ErrNotExist
}

// info describes a node.
type info struct{ n *node }

func (i info) Name() string       { return i.n.name }
func (i info) Size() int64        { return int64(len(i.n.body)) }
func (i info) Mode() fs.FileMode  { return i.n.mode }
func (i info) ModTime() time.Time { return i.n.time }
func (i info) IsDir() bool        { return i.n.mode.IsDir() }
func (i info) Sys() any           { return i.n.owner }
