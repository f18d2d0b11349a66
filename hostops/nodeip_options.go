package hostops

import (
	"time"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// NodeIPOptions are what a command says about the address of the node.
type NodeIPOptions struct {
	// Address is what the command line names, "v4" or "v4,v6"; empty if it names none.
	Address string
	// Move: Address may replace an address that this host is a node by.
	Move bool
	// Environment is the value of $NODE_IP.
	Environment string
	// Wait, if it is set, is how long to wait for an address, whatever profiles say.
	Wait *time.Duration
}

// NodeIPReport is the address that is kept for this host, and what was found about it.
type NodeIPReport struct {
	nodeip.Decision
	// Saved is what is kept; nil if nothing is.
	Saved *nodeip.State
	// Managed: a profile has the section nodeIP, or the command line names an address.
	Managed bool
	// Profile is the profile whose section counts.
	Profile string
	// Publish is how the kubelet learns the address.
	Publish nodeip.Publish
}

// DecidedNodeIP returns what the last run of this Host, a dry one too, decided about the
// address of the node; nil if there was nothing to decide.
func (h *Host) DecidedNodeIP() *NodeIPReport { return h.nodeIP }
