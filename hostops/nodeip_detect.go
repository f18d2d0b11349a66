package hostops

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// DetectNodeIPs returns the address that the rules choose by links, addresses and default
// routes, "v4" or "v4,v6": nothing that anybody has said counts. No packet is sent. The
// error is a *nodeip.DetectionError if no address, or no single one, can be the node's;
// half a pair is none.
func (h *Host) DetectNodeIPs(ctx context.Context, dualStack bool) (string, error) {
	s, err := h.machine.Network.Snapshot(ctx)
	if err != nil {
		return "", fmt.Errorf("look at the network: %w", err)
	}
	d, err := nodeip.Detect(&s, &nodeip.Wish{DualStack: dualStack})
	if err != nil {
		return "", err
	}
	return d.String(), nil
}

// NodeIPs returns what the environment names as the address of the node, as it is, or else
// what DetectNodeIPs does. It knows nothing of profiles and of what is kept on this host:
// see NodeIP.
func (h *Host) NodeIPs(ctx context.Context, dualStack bool) (string, error) {
	if named := h.options.NodeIP.Environment; named != "" {
		return named, nil
	}
	ip, err := h.DetectNodeIPs(ctx, dualStack)
	if err != nil {
		return "", fmt.Errorf("%w; or set NODE_IP", err)
	}
	return ip, nil
}
