package fake

import (
	"errors"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Sysctl returns a key's value, and whether the kernel has the key at present.
func (h *Host) Sysctl(path string) (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.sysctls.find(path)
	if c == nil {
		return "", false
	}
	return h.sysctls.display(c), true
}

// Sysctls returns every key that is there, with its value.
func (h *Host) Sysctls() map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make(map[string]string, len(h.sysctls.index))
	for path, i := range h.sysctls.index {
		if c := &h.sysctls.cells[i]; !c.gone && !c.hidden {
			all[path] = h.sysctls.display(c)
		}
	}
	return all
}

// SetSysctl is somebody else's write: the kernel does with it what it does with any.
func (h *Host) SetSysctl(path, value string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return wrong("write", path, h.store(path, value))
}

// SetDefault changes what the next boots give a key before any file is read, as a
// new kernel does.
func (h *Host) SetDefault(path, value string) {
	h.edit(path, func(c *cell) { c.initial = value })
}

// SetClamp makes the kernel store a larger number as limit, silently. 0 ends it.
func (h *Host) SetClamp(path string, limit int64) {
	h.edit(path, func(c *cell) { c.clamp = limit })
}

// SetReadOnly makes a key refuse writes, by its mode.
func (h *Host) SetReadOnly(path string, on bool) { h.edit(path, func(c *cell) { c.readOnly = on }) }

// SetWriteOnly makes a key refuse reads, by its mode.
func (h *Host) SetWriteOnly(path string, on bool) { h.edit(path, func(c *cell) { c.writeOnly = on }) }

// MountOver bind-mounts a file over a sysctl, or over a file of the tree.
func (h *Host) MountOver(path string, on bool) {
	if _, ok := h.Sysctl(path); ok {
		h.edit(path, func(c *cell) { c.foreign = on })
		return
	}
	h.editFile(path, func(n *node) { n.mounted = on })
}

// Hide makes a key vanish, whatever else would bring it, until Show.
func (h *Host) Hide(path string) { h.edit(path, func(c *cell) { c.hidden = true }) }

// Show ends Hide. The key has the value it had.
func (h *Host) Show(path string) { h.edit(path, func(c *cell) { c.hidden = false }) }

func (h *Host) edit(path string, change func(*cell)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i, ok := h.sysctls.index[path]; ok {
		change(&h.sysctls.cells[i])
	}
}

// File returns a file's content, links followed.
func (h *Host) File(path string) (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, err := h.files.root.resolve(path)
	if err != nil || !n.mode.IsRegular() {
		return "", false
	}
	return n.body, true
}

// PutFile is somebody else's write: the file and its directories are made, or the
// content is replaced, with mode 0644.
func (h *Host) PutFile(path, content string) {
	h.put(path, newFile("", content, 0o644, h.Now()))
}

// PutLink makes a symbolic link.
func (h *Host) PutLink(path, target string) {
	n := newFile("", target, 0o777, h.Now())
	n.mode |= fs.ModeSymlink
	h.put(path, n)
}

// PutDevice makes a device node.
func (h *Host) PutDevice(path string) {
	n := newFile("", "", 0o600, h.Now())
	n.mode |= fs.ModeDevice
	h.put(path, n)
}

// PutDir makes a directory, and those above it.
func (h *Host) PutDir(path string, mode fs.FileMode) { h.put(path, newDir("", mode, h.Now())) }

// Chown gives a file to somebody, and Hardlink gives it that many names.
func (h *Host) Chown(path string, uid, gid uint32) {
	h.editFile(path, func(n *node) { n.owner.UID, n.owner.GID = uid, gid })
}

// Hardlink makes a file have that many names.
func (h *Host) Hardlink(path string, names uint64) {
	h.editFile(path, func(n *node) { n.owner.Links = names })
}

// Delete removes a file or a whole directory.
func (h *Host) Delete(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_ = h.drop(path)
}

func (h *Host) put(path string, leaf *node) {
	h.mu.Lock()
	defer h.mu.Unlock()
	dir, name := split(path)
	leaf.name = name
	h.files.set(true, func(n *node) *node { return n.mkdirs(dir, leaf) })
}

// mkdirs puts a leaf into a directory that is made where it is missing.
func (n *node) mkdirs(dir string, leaf *node) *node {
	name, rest := cut(dir)
	if name == "" {
		return n.with(leaf)
	}
	kid := n.kid(name)
	if kid == nil || !kid.mode.IsDir() {
		kid = newDir(name, 0o755, leaf.time)
	}
	return n.with(kid.mkdirs(rest, leaf))
}

func (h *Host) editFile(path string, change func(*node)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, err := h.files.root.walk(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, machine.ErrNotRegular) {
		return
	}
	c := *n
	change(&c)
	dir, _ := split(path)
	h.files.set(true, func(r *node) *node { return r.put(dir, &c) })
}
