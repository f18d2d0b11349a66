package fake

import (
	"slices"
	"strings"
)

// links are the interfaces of the host's network namespace.
type links struct {
	list []link
	last int // the last index given
}

type link struct {
	name  string
	index int
	boot  bool // there after every boot
	wire  wire
}

func (l *links) clone() links {
	return links{list: slices.Clone(l.list), last: l.last}
}

func (l *links) find(name string) int {
	return slices.IndexFunc(l.list, func(l link) bool { return l.name == name })
}

// families are the directories that have one directory for every interface.
var families = []string{"net/ipv4/conf/", "net/ipv6/conf/", "net/ipv4/neigh/", "net/ipv6/neigh/"}

// AddLink creates an interface: it gets the next index, and its keys get the values
// of "default". A boot process that reads sysctl.d then applies the lines for it, as
// udev does. The link is gone after a reboot. One that exists is left as it is.
func (h *Host) AddLink(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.links.find(name) < 0 {
		h.addLink(name, false)
		h.readFor(name)
		h.announce(name)
	}
}

// RemoveLink takes an interface away, with its keys.
func (h *Host) RemoveLink(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.links.find(name)
	if i < 0 {
		return
	}
	h.links.list = slices.Delete(h.links.list, i, i+1)
	for _, family := range families {
		h.sysctls.eachOf(family+name+"/", func(c *cell) { c.gone = true })
	}
	h.changed()
}

// RenameLink gives an interface another name. Its index and its values stay; the
// kernel registers the keys anew under the new name.
func (h *Host) RenameLink(from, to string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.links.find(from)
	if i < 0 || h.links.find(to) >= 0 {
		return
	}
	h.links.list[i].name = to
	for _, family := range families {
		h.sysctls.rename(family+from+"/", family+to+"/")
	}
	h.readFor(to)
	h.announce(to)
}

// AddAddress gives an interface an IPv4 address. The kernel then takes all its IPv4
// keys as set: nothing is copied from default any more.
func (h *Host) AddAddress(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sysctls.address(name)
}

func (s *sysctls) address(link string) {
	for _, family := range []string{"net/ipv4/conf/", "net/ipv4/neigh/"} {
		s.eachOf(family+link+"/", func(c *cell) { c.set = true })
	}
}

func (h *Host) addLink(name string, boot bool) {
	h.links.last++
	h.links.list = append(h.links.list, link{name: name, index: h.links.last, boot: boot, wire: bridge()})
	for _, family := range families {
		h.sysctls.inherit(family, name)
	}
}

// inherit makes the keys of a new interface: the values of "default" and, of conf, its
// state bits; those of neigh begin anew.
func (s *sysctls) inherit(family, name string) {
	prefix := family + "default/"
	for i := range s.cells {
		key, ok := strings.CutPrefix(s.cells[i].path, prefix)
		if !ok || s.cells[i].gone || strings.HasPrefix(key, "gc_thresh") {
			continue
		}
		c := s.at(family + name + "/" + key)
		from := &s.cells[i]
		c.format, c.count, c.min, c.max, c.clamp = from.format, from.count, from.min, from.max, from.clamp
		c.readOnly, c.writeOnly = from.readOnly, from.writeOnly
		c.value, c.initial, c.gone = from.value, from.initial, false
		c.set = from.set && strings.HasSuffix(family, "/conf/")
	}
}

// rename moves the values of an interface to its new keys.
func (s *sysctls) rename(from, to string) {
	for i := range s.cells {
		key, ok := strings.CutPrefix(s.cells[i].path, from)
		if !ok || s.cells[i].gone {
			continue
		}
		moved := s.cells[i]
		s.cells[i].gone = true
		c := s.at(to + key)
		path := c.path
		*c = moved
		c.path, c.gone = path, false
	}
}

// eachOf calls do for every key below a prefix.
func (s *sysctls) eachOf(prefix string, do func(*cell)) {
	for i := range s.cells {
		if strings.HasPrefix(s.cells[i].path, prefix) {
			do(&s.cells[i])
		}
	}
}
