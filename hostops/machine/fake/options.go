package fake

import (
	"maps"
	"slices"
)

// Option says what a new host is like.
type Option func(*setup)

// setup collects the options.
type setup struct {
	bare     bool
	loopback bool
	keys     map[string]string
	links    []string
	modules  []Module
	reader   Reader
	quiet    bool
	firewall string // the backend; empty for none
	systemd  bool
}

// Bare is a host with no sysctl but the boot id, the host name and the kernel
// release, no link and no module: what the other options say is all there is.
func Bare() Option { return func(s *setup) { s.bare = true } }

// Sysctl adds a key that the kernel has from the start, with its default.
func Sysctl(path, initial string) Option {
	return func(s *setup) {
		if s.keys == nil {
			s.keys = make(map[string]string)
		}
		s.keys[path] = initial
	}
}

// Link adds an interface that every boot has, after lo and eth0.
func Link(name string) Option { return func(s *setup) { s.links = append(s.links, name) } }

// Loopback is a host without an interface but lo, as a new network namespace is.
func Loopback() Option { return func(s *setup) { s.loopback = true } }

// HasModule adds a module to the kernel.
func HasModule(m Module) Option { return func(s *setup) { s.modules = append(s.modules, m) } }

// Boots sets the boot process: ReadAll if this option is not given.
func Boots(r Reader) Option { return func(s *setup) { s.reader, s.quiet = r, r == nil } }

func (s *setup) build(h *Host) {
	keys := map[string]string{"kernel/random/boot_id": "", "kernel/hostname": "node1.example.net", "kernel/osrelease": "6.12.74+deb13+1-amd64"}
	var names []string
	var mods []Module
	if !s.bare {
		keys, names, mods = Catalog(), []string{"lo", "eth0"}, distribution
	}
	if s.loopback {
		names, h.alone = []string{"lo"}, true
	}
	maps.Copy(keys, s.keys)
	for _, path := range slices.Sorted(maps.Keys(keys)) {
		h.sysctls.add(path, keys[path]).core = true
	}
	h.sysctls.tie()
	for _, name := range append(names, s.links...) {
		h.links.list = append(h.links.list, link{name: name, boot: true, wire: wireOf(name, h.alone)})
	}
	h.modules.known = make(map[string]Module)
	for _, m := range append(slices.Clone(mods), s.modules...) {
		h.modules.known[m.Name] = m
	}
	s.buildFirewall(h)
	s.buildUnits(h)
	if h.reader = s.reader; s.reader == nil && !s.quiet {
		h.reader = ReadAll
	}
}

// tie gives keys their bounds, and lets two paths of one variable name one cell.
func (s *sysctls) tie() {
	for path, i := range s.index {
		if b, ok := bounds[path]; ok {
			s.cells[i].min, s.cells[i].max = b[0], b[1]
		}
		s.cells[i].readOnly = readOnly[path]
		s.cells[i].writeOnly = path == "net/ipv4/route/flush"
		s.cells[i].choices = choices[path]
	}
	alias, ok := s.index["net/ipv4/conf/all/forwarding"]
	if i, both := s.index["net/ipv4/ip_forward"]; ok && both {
		s.cells[alias].core, s.cells[alias].gone = false, true
		s.cells[alias].path = ""
		s.name("net/ipv4/conf/all/forwarding", i)
	} else if ok {
		s.name("net/ipv4/ip_forward", alias)
	} else if both {
		s.name("net/ipv4/conf/all/forwarding", i)
	}
}

var readOnly = map[string]bool{
	"kernel/osrelease": true, "kernel/random/boot_id": true,
	"net/ipv4/conf/all/mc_forwarding": true, "net/ipv4/conf/default/mc_forwarding": true,
}

var choices = map[string]string{"net/ipv4/tcp_congestion_control": "cubic reno"}

// bounds are the smallest and largest value that the kernel takes.
var bounds = map[string][2]int64{
	"kernel/watchdog": {0, 1}, "kernel/nmi_watchdog": {0, 1}, "kernel/soft_watchdog": {0, 1},
	"vm/dirty_ratio": {0, 100}, "vm/dirty_background_ratio": {0, 100},
	"vm/dirty_bytes": {8192, 1<<63 - 1}, "vm/dirty_background_bytes": {1, 1<<63 - 1},
	"vm/overcommit_memory": {0, 2}, "vm/swappiness": {0, 200}, "vm/panic_on_oom": {0, 2},
	"net/ipv4/tcp_syncookies": {0, 2}, "net/ipv4/tcp_retries1": {0, 255},
}
