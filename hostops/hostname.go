package hostops

import (
	"context"
	"fmt"
	"time"

	"github.com/hostprofile/hostprofile/hostops/hostname"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// How long Hostname waits for a name, and how often it looks. The kernel tells nobody of a
// new name by means that every kernel has.
const (
	hostnameWait = 30 * time.Second
	hostnamePoll = 500 * time.Millisecond
)

// Hostname is the name by which a host can be a node.
type Hostname struct {
	// Name is by RFC 1123, in lower case.
	Name string
	// Raw is what the kernel says.
	Raw string
}

// Warning says that the name is not as the host has it; empty if it is.
func (n Hostname) Warning() string {
	if n.Name == n.Raw {
		return ""
	}
	return fmt.Sprintf("the host calls itself %s, and its node is %s: whatever takes the name from the host must write it in lower case", n.Raw, n.Name)
}

// Hostname returns the name of the node. A host that has none of its own yet, as in the
// first seconds of a boot, is given half a minute. The error is an *item.Error if it then
// has none, or one that no node can have; nothing is ever made of such a name. It writes
// nothing.
func (h *Host) Hostname(ctx context.Context) (Hostname, error) {
	end := h.machine.Clock.Now().Add(hostnameWait)
	for {
		raw, err := h.machine.Proc.ReadSysctl(paths.HostnameKey)
		if err != nil {
			return Hostname{}, fmt.Errorf("read the host name: %w", err)
		}
		if !hostname.IsPlaceholder(raw) || !h.machine.Clock.Now().Before(end) {
			name, err := hostname.Canonical(raw)
			return Hostname{name, raw}, err
		}
		if err := h.machine.Clock.Sleep(ctx, hostnamePoll); err != nil {
			return Hostname{}, err
		}
	}
}
