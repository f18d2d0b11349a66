package fake

import (
	"context"
	"io/fs"
	"slices"
	"syscall"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// chains are the rules about packets in the kernel. The list is replaced, never changed, so
// that a copy of a host is its own.
type chains struct {
	list   []machine.Chain
	hidden bool
}

// AddChain adds a chain of rules about packets. It dies with the boot.
func (h *Host) AddChain(c machine.Chain) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.chains.list = append(slices.Clip(h.chains.list), c)
}

// HideChains takes away the right to list chains.
func (h *Host) HideChains() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.chains.hidden = true
}

// Chains implements machine.Network.
func (p *Process) Chains(ctx context.Context) ([]machine.Chain, error) {
	err := p.enter()
	h := p.host
	defer h.mu.Unlock()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && h.chains.hidden {
		err = &fs.PathError{Op: "list chains", Path: "nftables", Err: syscall.EPERM}
	}
	if err != nil {
		return nil, err
	}
	return slices.Clone(h.chains.list), nil
}
