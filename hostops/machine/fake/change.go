package fake

import (
	"errors"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Write implements machine.Files.
func (p *Process) Write(path string, content []byte, mode fs.FileMode) error {
	return p.write(path, content, mode, true)
}

// WriteVolatile implements machine.Files.
func (p *Process) WriteVolatile(path string, content []byte, mode fs.FileMode) error {
	return p.write(path, content, mode, false)
}

func (p *Process) write(path string, content []byte, mode fs.FileMode, durable bool) error {
	h := p.host
	old, err := p.target(path)
	defer h.mu.Unlock()
	if err != nil {
		return wrong("write", path, err)
	}
	if old != nil && old.plain() != nil {
		return wrong("write", path, old.plain())
	}
	if old != nil && old.same(content, mode) && (!durable || !old.undurable()) {
		return nil
	}
	if err := h.before(p.id, "write", path, string(content)); err != nil {
		h.leaveTemp(path)
		return err
	}
	return h.after(p.id, wrong("write", path, h.replace(path, string(content), mode, durable)))
}

// replace puts the new file in place, unless a fault is in the way.
func (h *Host) replace(path, content string, mode fs.FileMode, durable bool) error {
	err := h.faults.change(path, true)
	if errors.Is(err, machine.ErrStrayCopy) {
		h.leaveTemp(path)
	}
	lost := errors.Is(err, machine.ErrNotDurable)
	if err != nil && !lost {
		return err
	}
	dir, name := split(path)
	leaf := newFile(name, content, mode, h.now)
	if lost {
		leaf.time = machine.NotDurable
	}
	h.files.set(durable && !lost || dies(path), func(n *node) *node { return n.put(dir, leaf) })
	h.selinux.made(path, false)
	return err
}

// Remove implements machine.Files.
func (p *Process) Remove(path string) error {
	return p.change("remove", path, func(h *Host, old *node) error {
		if err := old.plain(); err != nil {
			return err
		}
		return h.drop(path)
	})
}

// Unlink implements machine.Files.
func (p *Process) Unlink(path string) error {
	return p.change("unlink", path, func(h *Host, old *node) error {
		if old.mode&fs.ModeSymlink == 0 {
			return machine.ErrNotRegular
		}
		return h.drop(path)
	})
}

// Rmdir implements machine.Files.
func (p *Process) Rmdir(path string) error {
	return p.change("rmdir", path, func(h *Host, old *node) error {
		switch {
		case !old.mode.IsDir():
			return machine.ErrNotRegular
		case old.mounted:
			return machine.ErrBusy
		case len(old.kids) > 0:
			return machine.ErrNotEmpty
		}
		return h.drop(path)
	})
}

// Chmod implements machine.Files.
func (p *Process) Chmod(path string, mode fs.FileMode) error {
	return p.directory("chmod", path, func(c *node) { c.mode = fs.ModeDir | bits(mode) })
}

// Chown implements machine.Files.
func (p *Process) Chown(path string, uid, gid uint32) error {
	return p.directory("chown", path, func(c *node) { c.owner.UID, c.owner.GID = uid, gid })
}

// directory changes what is known of a directory.
func (p *Process) directory(op, path string, change func(*node)) error {
	return p.change(op, path, func(h *Host, old *node) error {
		if !old.mode.IsDir() {
			return machine.ErrNotRegular
		}
		dir, _ := split(path)
		c := *old
		change(&c)
		h.files.set(true, func(n *node) *node { return n.put(dir, &c) })
		return nil
	})
}

// Mkdir implements machine.Files.
func (p *Process) Mkdir(path string, mode fs.FileMode) error {
	return p.make("mkdir", path, mode.Perm().String(), func(h *Host, name string) *node {
		h.selinux.made(path, true)
		return newDir(name, mode, h.now)
	})
}

// Link implements machine.Files.
func (p *Process) Link(path, target string) error {
	return p.make("link", path, target, func(h *Host, name string) *node {
		link := newFile(name, target, 0o777, h.now)
		link.mode |= fs.ModeSymlink
		return link
	})
}

// make makes what must not be there yet.
func (p *Process) make(op, path, value string, leaf func(h *Host, name string) *node) error {
	h := p.host
	old, err := p.target(path)
	defer h.mu.Unlock()
	if err == nil && old != nil {
		err = fs.ErrExist
	}
	if err != nil {
		return wrong(op, path, err)
	}
	if err := h.before(p.id, op, path, value); err != nil {
		return err
	}
	if err = h.faults.change(path, true); err == nil {
		dir, name := split(path)
		made := leaf(h, name)
		h.files.set(true, func(n *node) *node { return n.put(dir, made) })
	}
	return h.after(p.id, wrong(op, path, err))
}

// Settle implements machine.Files.
func (p *Process) Settle(path string) error {
	h := p.host
	leaf, err := p.target(path)
	defer h.mu.Unlock()
	if err != nil || leaf == nil || !leaf.undurable() {
		return wrong("settle", path, err)
	}
	if err := h.before(p.id, "settle", path, ""); err != nil {
		return err
	}
	if err = h.faults.change(path, false); err == nil {
		dir, _ := split(path)
		h.files.set(true, func(n *node) *node { return n.put(dir, leaf) })
	}
	return h.after(p.id, wrong("settle", path, err))
}

// Sweep implements machine.Files.
func (p *Process) Sweep(path string) ([]string, error) {
	h := p.host
	_, err := p.target(path)
	defer h.mu.Unlock()
	if err != nil {
		return nil, wrong("sweep", path, err)
	}
	dir, name := split(path)
	parent, _ := h.files.root.walk(dir)
	var swept []string
	for _, kid := range parent.kids {
		if atomicfile.IsTemp(name, kid.name) {
			swept = append(swept, kid.name)
		}
	}
	for _, stray := range swept {
		if err := h.before(p.id, "sweep", dir+"/"+stray, ""); err != nil {
			return nil, err
		}
		if err := h.after(p.id, h.drop(dir+"/"+stray)); err != nil {
			return nil, wrong("sweep", path, err)
		}
	}
	return swept, nil
}

// leaveTemp is what a crash in the middle of a write can leave.
func (h *Host) leaveTemp(path string) {
	if h.faults.strays {
		dir, name := split(path)
		temp := newFile(atomicfile.TempName(name, "0123456789abcdef"), "", 0o600, h.now)
		h.files.set(true, func(n *node) *node { return n.put(dir, temp) })
	}
}

// change runs a change of something that must be there already.
func (p *Process) change(op, path string, do func(*Host, *node) error) error {
	h := p.host
	old, err := p.target(path)
	defer h.mu.Unlock()
	if err == nil && old == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return wrong(op, path, err)
	}
	if err := h.before(p.id, op, path, ""); err != nil {
		return err
	}
	if err = h.faults.change(path, false); err == nil {
		err = do(h, old)
	}
	return h.after(p.id, wrong(op, path, err))
}

func (h *Host) drop(path string) error {
	dir, name := split(path)
	h.files.set(true, func(n *node) *node { return n.drop(dir, name) })
	put(&h.selinux.labels, path, "")
	h.orphanLocks(path)
	return nil
}
