package nodeip

import (
	"fmt"
	"net/netip"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Verdict says in one word what the rules made of an address.
type Verdict string

// The verdicts.
const (
	Chosen    Verdict = "Chosen"
	Contender Verdict = "Ambiguous" // the rules cannot tell it from another one

	// Never an address of the node.
	LinkDown       Verdict = "LinkDown"
	NoCarrier      Verdict = "NoCarrier"
	Unreachable    Verdict = "Unreachable" // loopback, link-local and the like
	NotGlobal      Verdict = "NotGlobal"
	Tentative      Verdict = "Tentative"
	Duplicate      Verdict = "Duplicate"
	Deprecated     Verdict = "Deprecated"
	Temporary      Verdict = "Temporary"
	Excluded       Verdict = "Excluded"
	OutsideSubnets Verdict = "OutsideSubnets"
	OtherFamily    Verdict = "OtherFamily"

	// Could be one, and another is preferred.
	NoDefaultRoute Verdict = "NoDefaultRoute"
	HigherMetric   Verdict = "HigherMetric"
	NotRouteSource Verdict = "NotRouteSource"
	OtherNetwork   Verdict = "OtherNetwork"
	HostPrefix     Verdict = "HostPrefix"
	Secondary      Verdict = "Secondary"
	Autoconfigured Verdict = "Autoconfigured"
	UniqueLocal    Verdict = "UniqueLocal"
	OtherLink      Verdict = "OtherLink"

	// Only if a route, a subnet or somebody names it.
	VirtualLink       Verdict = "VirtualLink"
	NoHardwareAddress Verdict = "NoHardwareAddress"
	BridgeWithoutPort Verdict = "BridgeWithoutPort"
	Enslaved          Verdict = "Enslaved"
	InVRF             Verdict = "InVRF"
)

// Candidate is an address of this host, and what the rules made of it.
type Candidate struct {
	Address netip.Prefix
	Link    string
	Verdict Verdict
	// Why is the verdict in a few words.
	Why string

	at   machine.Address
	link machine.Link
}

func (c *Candidate) addr() netip.Addr { return c.Address.Addr() }
func (c *Candidate) v6() bool         { return c.addr().Is6() }
func (c *Candidate) open() bool       { return c.Verdict == "" }

// reject gives a verdict to a candidate that has none yet.
func (c *Candidate) reject(v Verdict, why string, args ...any) {
	if c.open() {
		c.Verdict, c.Why = v, fmt.Sprintf(why, args...)
	}
}

// never returns why an address on a link cannot be a node's whatever the routes are; an
// empty verdict if it can.
func (w *Wish) never(a *machine.Address, l *machine.Link) (v Verdict, why string) {
	ip := a.Prefix.Addr()
	kind := UnreachableKind(ip)
	switch {
	case kind != "":
		return Unreachable, kind
	case !l.Up:
		return LinkDown, "the link is down"
	case !l.Carrier:
		return NoCarrier, "the link has no carrier"
	case !a.Global:
		return NotGlobal, "its scope is not global"
	case a.Duplicate:
		return Duplicate, "another host has it"
	case a.Tentative:
		return Tentative, "the kernel does not know yet whether another host has it"
	case a.Retiring:
		return Deprecated, "deprecated"
	case a.Temporary:
		return Temporary, "temporary, for privacy"
	case within(w.Exclude, ip):
		return Excluded, "in excludeAddresses"
	case ip.Is6() && !w.DualStack:
		return OtherFamily, "IPv6 is not asked for"
	case len(w.Subnets) > 0 && !within(w.Subnets, ip):
		return OutsideSubnets, "in none of the subnets"
	}
	return "", ""
}
