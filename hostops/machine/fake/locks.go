package fake

import (
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// heldLock is a lock that a process holds. It lives in memory, as the kernel's do.
type heldLock struct {
	path, note string
	process    int
	seq        int // a release ends its own lock only
}

// TryLock implements machine.Locks.
func (p *Process) TryLock(path, note string) (func() error, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := h.lockable(path); err != nil {
		return nil, wrong("lock", path, err)
	}
	for _, l := range h.locks {
		if l.path == path {
			return nil, &machine.BusyError{Path: path, Holder: l.note}
		}
	}
	h.lockSeq++
	seq := h.lockSeq
	h.locks = append(h.locks, heldLock{path, note, p.id, seq})
	h.files.touch(path, note, h.now)
	return func() error { return p.unlock(seq) }, nil
}

// Holder implements machine.Locks.
func (p *Process) Holder(path string) (string, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err != nil {
		return "", err
	}
	for _, l := range p.host.locks {
		if l.path == path {
			return l.note, nil
		}
	}
	return "", nil
}

func (p *Process) unlock(seq int) error {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err != nil {
		return err
	}
	p.host.locks = slices.DeleteFunc(p.host.locks, func(l heldLock) bool {
		return l.seq == seq
	})
	return nil
}

// orphanLocks: a lock is on a file, and one whose file has lost its name keeps nobody out.
func (h *Host) orphanLocks(path string) {
	for i := range h.locks {
		if h.locks[i].path == path {
			h.locks[i].path = ""
		}
	}
}

func (h *Host) dropLocks(process int) {
	h.locks = slices.DeleteFunc(h.locks, func(l heldLock) bool { return l.process == process })
}

// lockable holds the lock file against what a real one must be.
func (h *Host) lockable(path string) error {
	if err := h.parentExists(path); err != nil {
		return err
	}
	n, err := h.files.root.walk(path)
	if err == nil {
		return n.plain()
	}
	return nil
}
