package fake

import (
	"context"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// ReadSysctl implements machine.Proc.
func (p *Process) ReadSysctl(path string) (string, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return "", err
	}
	if len(h.faults.sysctlReads) > 0 {
		if err := h.faults.sysctlReads[path]; err != nil {
			return "", wrong("read", path, err)
		}
	}
	v, err := h.sysctls.read(path)
	if err != nil {
		return "", wrong("read", path, err)
	}
	return v, nil
}

// WriteSysctl implements machine.Proc. Every write to a key that is there is a
// mutation, also one that changes nothing.
func (p *Process) WriteSysctl(path, value string) error {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return err
	}
	if h.sysctls.find(path) == nil {
		return wrong("write", path, h.sysctls.missing(path))
	}
	if len(value) > machine.MaxSysctl {
		return wrong("write", path, machine.ErrInvalid)
	}
	if err := h.before(p.id, "sysctl", path, value); err != nil {
		return err
	}
	if len(h.faults.sysctlWrites) > 0 {
		err = h.faults.sysctlWrites[path]
	}
	if err == nil {
		err = h.store(path, value)
	}
	return h.after(p.id, wrong("write", path, err))
}

// ReadSysctls implements machine.Proc.
func (p *Process) ReadSysctls(paths []string) []machine.SysctlText { return machine.ReadEach(p, paths) }

// WriteSysctls implements machine.Proc.
func (p *Process) WriteSysctls(writes []machine.SysctlWrite) []error {
	return machine.WriteEach(p, writes)
}

// ListSysctl implements machine.Proc.
func (p *Process) ListSysctl(path string) ([]string, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err != nil {
		return nil, err
	}
	names, err := p.host.sysctls.list(path)
	return names, wrong("list", path, err)
}

// ReadProc implements machine.Proc for /proc/swaps, /proc/meminfo, /proc/modules,
// /sys/module/NAME/initstate, and for what SetProc said.
func (p *Process) ReadProc(path string) ([]byte, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := h.faults.reads[path]; err != nil {
		return nil, wrong("read", path, err)
	}
	if !strings.HasPrefix(path, "/proc/") && !strings.HasPrefix(path, "/sys/") {
		return nil, wrong("read", path, fs.ErrInvalid)
	}
	s, err := h.proc(path)
	if err != nil {
		return nil, wrong("read", path, err)
	}
	return []byte(s), nil
}

func (h *Host) proc(path string) (string, error) {
	if s, ok := h.texts[path]; ok {
		return s, nil
	}
	switch path {
	case "/proc/swaps":
		return h.swaps.table(), nil
	case "/proc/meminfo":
		return h.swaps.meminfo(), nil
	case "/proc/modules":
		return h.modules.table(), nil
	}
	if name, ok := strings.CutPrefix(path, "/sys/module/"); ok {
		return h.modules.sys(name)
	}
	return "", fs.ErrNotExist
}

// SetProc sets the text of a file below /proc or /sys, for what the fake does not
// make itself. An empty text takes it away.
func (h *Host) SetProc(path, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.texts = cloneMap(h.texts)
	put(&h.texts, path, text)
}

// LinkIndex implements machine.Network.
func (p *Process) LinkIndex(name string) (int, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return 0, err
	}
	i := h.links.find(name)
	if i < 0 {
		return 0, wrong("link", name, fs.ErrNotExist)
	}
	return h.links.list[i].index, nil
}

// LoadModule implements machine.Kernel.
func (p *Process) LoadModule(ctx context.Context, name string) error {
	return p.kernel(ctx, "modprobe", name, (*Host).loadModule)
}

// SwapOff implements machine.Kernel.
func (p *Process) SwapOff(ctx context.Context, path string) error {
	return p.kernel(ctx, "swapoff", path, (*Host).swapOff)
}

// SwapOn implements machine.Kernel.
func (p *Process) SwapOn(path string, priority int) error {
	return p.kernel(context.Background(), "swapon", path, func(h *Host, path string) error {
		return h.swapOn(path, priority)
	})
}

func (p *Process) kernel(ctx context.Context, op, name string, do func(*Host, string) error) error {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return wrong(op, name, err)
	}
	if op == "modprobe" {
		if !isModuleName(name) {
			return wrong(op, name, fs.ErrInvalid)
		}
		if h.modules.present(name) {
			return nil
		}
	}
	if err := h.before(p.id, op, name, ""); err != nil {
		return err
	}
	if err = h.faults.kernel[name]; err == nil {
		err = do(h, name)
	}
	return h.after(p.id, wrong(op, name, err))
}

var _ interface {
	machine.Files
	machine.Locks
	machine.Proc
	machine.Kernel
	machine.Mounts
	machine.Network
	machine.Clock
} = (*Process)(nil)
