package fake

import "strings"

// rule is what the kernel does besides storing a value.
type rule uint8

const (
	plain        rule = iota
	forwardAll        // IPv4: the one variable behind ip_forward and conf/all/forwarding
	confDefault       // IPv4: copied to interfaces on which it was never set
	spreadAll         // IPv6: conf/all copied to default and to every interface
	zeroOther         // the other one of a pair becomes 0, at every write
	zeroChanged       // the same, only if the value changes
	watchdog          // one switch over two
	watchdogPart      // one of the two
)

// Keys of net/ipv4/conf that the kernel never copies from default.
var notCopied = map[string]bool{
	"forwarding": true, "mc_forwarding": true, "disable_xfrm": true, "disable_policy": true,
	"promote_secondaries": true, "route_localnet": true, "drop_unicast_in_l2_multicast": true,
}

// Keys of net/ipv6/conf for which a write to all is a write to every interface.
var spread = map[string]bool{
	"forwarding": true, "disable_ipv6": true, "ignore_routes_with_linkdown": true,
	"addr_gen_mode": true, "force_forwarding": true,
}

// partners are the pairs of which only one can be in force.
var partners = map[string]string{
	"vm/dirty_bytes": "vm/dirty_ratio", "vm/dirty_ratio": "vm/dirty_bytes",
	"vm/dirty_background_bytes": "vm/dirty_background_ratio",
	"vm/dirty_background_ratio": "vm/dirty_background_bytes",
	"vm/overcommit_kbytes":      "vm/overcommit_ratio",
	"vm/overcommit_ratio":       "vm/overcommit_kbytes",
}

func ruleOf(path string) rule {
	if rest, ok := strings.CutPrefix(path, "net/ipv4/conf/default/"); ok && !notCopied[rest] {
		return confDefault
	}
	if strings.HasPrefix(path, "net/ipv4/neigh/default/") || strings.HasPrefix(path, "net/ipv6/neigh/default/") {
		return confDefault
	}
	if rest, ok := strings.CutPrefix(path, "net/ipv6/conf/all/"); ok && spread[rest] {
		return spreadAll
	}
	switch path {
	case "net/ipv4/ip_forward", "net/ipv4/conf/all/forwarding":
		return forwardAll
	case "vm/dirty_ratio", "vm/dirty_bytes":
		return zeroChanged
	case "kernel/watchdog":
		return watchdog
	case "kernel/nmi_watchdog", "kernel/soft_watchdog":
		return watchdogPart
	}
	if partners[path] != "" {
		return zeroOther
	}
	return plain
}

// assign stores a parsed value and changes what the kernel changes with it.
func (h *Host) assign(c *cell, value string) {
	changed := c.value != value
	c.value, c.set = value, true
	switch c.rule {
	case forwardAll:
		if changed {
			h.forward(value)
		}
	case confDefault:
		h.copyDefault(c)
	case spreadAll:
		h.spread(c)
	case zeroOther, zeroChanged:
		if changed || c.rule == zeroOther {
			h.sysctls.force(partners[c.path], "0")
		}
	}
}

// force changes a variable without being a write to its key.
func (s *sysctls) force(path, value string) {
	if c := s.find(path); c != nil {
		c.value = value
	}
}

// forward is the kernel's inet_forward_change.
func (h *Host) forward(on string) {
	s := &h.sysctls
	accept := "1"
	if on != "0" {
		accept = "0"
	}
	s.force("net/ipv4/conf/all/accept_redirects", accept)
	s.force("net/ipv4/conf/default/forwarding", on)
	for _, l := range h.links.list {
		s.force("net/ipv4/conf/"+l.name+"/forwarding", on)
	}
}

// copyDefault is the kernel's devinet_copy_dflt_conf and neigh_copy_dflt_parms.
func (h *Host) copyDefault(c *cell) {
	family, name, _ := strings.Cut(c.path, "default/")
	for _, l := range h.links.list {
		k := h.sysctls.find(family + l.name + "/" + name)
		if k != nil && !k.set {
			k.value = c.value
		}
	}
}

func (h *Host) spread(c *cell) {
	name := strings.TrimPrefix(c.path, "net/ipv6/conf/all/")
	h.sysctls.force("net/ipv6/conf/default/"+name, c.value)
	for _, l := range h.links.list {
		h.sysctls.force("net/ipv6/conf/"+l.name+"/"+name, c.value)
	}
}

// display is what a key reads as. The watchdogs show whether they run: a part behind
// its switch, the switch over its parts.
func (s *sysctls) display(c *cell) string {
	switch c.rule {
	case watchdogPart:
		if all := s.find("kernel/watchdog"); all != nil && all.value == "0" {
			return "0"
		}
	case watchdog:
		if !s.on("kernel/nmi_watchdog") && !s.on("kernel/soft_watchdog") {
			return "0"
		}
	}
	return c.value
}

func (s *sysctls) on(path string) bool {
	c := s.find(path)
	return c != nil && c.value != "0"
}
