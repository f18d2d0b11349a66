package fake

import "github.com/hostprofile/hostprofile/hostops/machine"

// state is what the host knows about a process.
type state struct{ dead bool }

// Process is a program that runs on the host. It implements every interface of
// package machine.
type Process struct {
	host *Host
	id   int
}

// Machine returns the host as its first process sees it.
func (h *Host) Machine() *machine.Machine { return (&Process{host: h}).Machine() }

// Start starts one more process: it has locks and a death of its own.
func (h *Host) Start() *Process {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.procs = append(h.procs, state{})
	return &Process{host: h, id: len(h.procs) - 1}
}

// Machine returns the host as this process sees it.
func (p *Process) Machine() *machine.Machine {
	return &machine.Machine{Files: p, Locks: p, Proc: p, Kernel: p, Mounts: p, Network: p, Firewall: p, Units: p, Programs: p, SELinux: p, Clock: p}
}

// Kill lets the process die now.
func (p *Process) Kill() {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	p.host.kill(p.id)
}

// Kill lets the first process die now.
func (h *Host) Kill() { (&Process{host: h}).Kill() }

// Dead reports whether the first process has died.
func (h *Host) Dead() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.procs[0].dead
}

// Revive starts every dead process again, as a new one without locks.
func (h *Host) Revive() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.procs)
	h.steps.stopAt = never
}

// kill ends a process and with it its locks.
func (h *Host) kill(id int) {
	h.procs[id].dead = true
	h.dropLocks(id)
}

// enter begins a call: it takes the host's mutex, which the caller must give back,
// whatever the answer is.
func (p *Process) enter() error {
	p.host.mu.Lock()
	if p.host.procs[p.id].dead {
		return ErrDead
	}
	return nil
}
