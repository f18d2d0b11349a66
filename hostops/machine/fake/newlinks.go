package fake

import (
	"context"
	"slices"
)

// listener is somebody who waits for new links.
type listener struct{ names chan string }

// NewLinks implements machine.Network. The world's AddLink and RenameLink tell the name.
func (p *Process) NewLinks(ctx context.Context) (<-chan string, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	l := &listener{names: make(chan string, 64)}
	h.listeners = append(h.listeners, l)
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.listeners = slices.DeleteFunc(h.listeners, func(o *listener) bool { return o == l })
		close(l.names)
	})
	return l.names, nil
}

// announce tells all listeners of a link.
func (h *Host) announce(name string) {
	h.changed()
	for _, l := range h.listeners {
		select {
		case l.names <- name:
		default:
		}
	}
}
