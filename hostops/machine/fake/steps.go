package fake

import (
	"errors"
	"slices"
)

// ErrDead is what every call of a process returns after it died.
var ErrDead = errors.New("the process is dead")

// never is a tick that does not come.
const never = -1

// Mutation is one change that a process made or tried to make.
type Mutation struct {
	Op    string // "sysctl", "write", "remove", "mkdir", "chmod", "rmdir", "sweep", "modprobe", "swapoff", "swapon", "mount", "share", "bind", "unbind", "drop", "enable", "disable", "start", "restart", "stop", "reload", "label", "register"
	Path  string // a sysctl's path, a file's path, a module's name
	Value string // the value, or the content
}

// steps counts mutations and lets a process die at one. A mutation has two ticks:
// an even one just before it and the odd one just after it.
type steps struct {
	count  int // mutations begun
	ticks  int
	stopAt int
	hook   func(tick int)
	logged bool
	log    []Mutation
}

func (s *steps) clone() steps {
	c := *s
	c.hook, c.log = nil, slices.Clone(s.log)
	return c
}

// StopAt lets the process die at the n-th tick from now: StopAt(0) right before its
// next mutation, StopAt(1) right after that, StopAt(2) before the one after next.
// What happened before stays. From then on every call of that process fails with
// ErrDead and its locks are free, until Revive. A negative n takes the order back.
func (h *Host) StopAt(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steps.stopAt = never
	if n >= 0 {
		h.steps.stopAt = h.steps.ticks + n
	}
}

// OnStep calls f at every tick: even before a mutation, odd after it, counted from
// the host's creation. f may change the host. Nil ends it.
func (h *Host) OnStep(f func(tick int)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steps.hook = f
}

// Mutations returns how many changes all processes have made or tried so far. A
// write that finds its content there already, a read and a lock are none.
func (h *Host) Mutations() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.steps.count
}

// KeepLog starts an empty log of the mutations.
func (h *Host) KeepLog() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steps.logged, h.steps.log = true, nil
}

// Log returns the mutations since KeepLog, in order.
func (h *Host) Log() []Mutation {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.steps.log)
}

// before begins a mutation of process p. It holds h.mu, and gives it up for a hook.
func (h *Host) before(p int, op, path, value string) error {
	h.steps.count++
	if h.steps.logged {
		h.steps.log = append(h.steps.log, Mutation{op, path, value})
	}
	return h.tick(p)
}

// after ends a mutation: the answer is lost if the process dies now.
func (h *Host) after(p int, err error) error {
	if dead := h.tick(p); dead != nil {
		return dead
	}
	return err
}

func (h *Host) tick(p int) error {
	t := h.steps.ticks
	h.steps.ticks++
	if hook := h.steps.hook; hook != nil {
		h.mu.Unlock()
		hook(t)
		h.mu.Lock()
	}
	if t == h.steps.stopAt {
		h.kill(p)
	}
	if h.procs[p].dead {
		return ErrDead
	}
	return nil
}
