package machine

import "net/netip"

// Snapshot is the links, their addresses and the default routes of a network namespace
// at one moment, in no particular order.
type Snapshot struct {
	Links     []Link
	Addresses []Address
	// Routes are the default routes of the table main: unicast ones only, one for each
	// next hop.
	Routes []Route
}

// Link is a network interface.
type Link struct {
	Index int
	Name  string
	// Kind is the kernel's word for a link that software made, such as "bridge" or
	// "veth". It is empty for hardware and for lo.
	Kind string
	// Master is the index of the bridge, bond or VRF that the link belongs to; 0 if none.
	Master int
	// Up: somebody switched it on.
	Up bool
	// Carrier: it works as far as the kernel knows, or the kernel cannot know.
	Carrier bool
	// Loopback: it is lo.
	Loopback bool
	// Hardware: it has a hardware address, as Ethernet and InfiniBand have and tunnels
	// have not.
	Hardware bool
}

// Address is an address of a link.
type Address struct {
	Link   int // index
	Prefix netip.Prefix
	// Global: the scope is global, so that other hosts can use it.
	Global bool
	// Secondary: another IPv4 address of the same network was there before it.
	Secondary bool
	// Tentative: the kernel does not know yet whether another host has it.
	Tentative bool
	// Duplicate: another host has it.
	Duplicate bool
	// Retiring: not to be used for new connections any more ("deprecated").
	Retiring bool
	// Temporary: an IPv6 address that is replaced now and then, for privacy.
	Temporary bool
	// Autoconfigured: an IPv6 address that the host made of a router's advertisement.
	Autoconfigured bool
}

// Route is one next hop of a default route.
type Route struct {
	IPv6   bool
	Link   int // index of the link that packets leave by
	Metric int // the lower one wins; as the kernel has it, so that 0 is 1024 for IPv6
	// Gateway and Source are invalid if the route names none.
	Gateway netip.Addr
	Source  netip.Addr
}

// Link returns the link of an index; false if there is none.
func (s *Snapshot) Link(index int) (Link, bool) {
	for _, l := range s.Links {
		if l.Index == index {
			return l, true
		}
	}
	return Link{}, false
}

// Has reports whether an address is on a link.
func (s *Snapshot) Has(a netip.Addr) bool {
	for i := range s.Addresses {
		if s.Addresses[i].Prefix.Addr() == a {
			return true
		}
	}
	return false
}
