package fake

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// String prints the host: what a reader needs to see what happened to it. Of the
// sysctls it prints those that are not as the boot made them; Sysctls has all.
func (h *Host) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "boot %d\n", h.boots)
	for _, l := range h.links.list {
		fmt.Fprintf(&b, "link %d %s\n", l.index, l.name)
	}
	for _, name := range h.modules.loaded {
		fmt.Fprintf(&b, "module %s\n", name)
	}
	for _, s := range h.swaps.active {
		fmt.Fprintf(&b, "swap %s %d kB, %d kB used, priority %d\n", s.Path, s.Size>>10, s.Used>>10, s.Priority)
	}
	h.mounts.print(&b)
	h.firewall.print(&b)
	h.units.print(&b)
	h.selinux.print(&b)
	h.sysctls.print(&b)
	h.files.root.print(&b, "")
	for _, l := range h.locks {
		fmt.Fprintf(&b, "lock %s: %s\n", l.path, l.note)
	}
	return b.String()
}

func (s *sysctls) print(b *strings.Builder) {
	for _, path := range slices.Sorted(maps.Keys(s.index)) {
		c := &s.cells[s.index[path]]
		if v := s.display(c); !c.gone && !c.hidden && v != c.initial && path != "kernel/random/boot_id" {
			fmt.Fprintf(b, "sysctl %s = %s (was %s)\n", path, v, c.initial)
		}
	}
}

func (n *node) print(b *strings.Builder, at string) {
	switch {
	case n.mode.IsDir():
		for _, kid := range n.kids {
			kid.print(b, at+"/"+kid.name)
		}
		if rooted := n.owner.UID == 0 && n.owner.GID == 0; !rooted {
			fmt.Fprintf(b, "dir %s %04o %d:%d\n", at, n.mode.Perm(), n.owner.UID, n.owner.GID)
		} else if len(n.kids) == 0 || n.mode != fs.ModeDir|0o755 {
			fmt.Fprintf(b, "dir %s %04o\n", at, n.mode.Perm())
		}
	case n.mode&fs.ModeSymlink != 0:
		fmt.Fprintf(b, "link %s -> %s\n", at, n.body)
	case n.mode.IsRegular():
		fmt.Fprintf(b, "file %s %04o %q\n", at, n.mode.Perm(), n.body)
	default:
		fmt.Fprintf(b, "device %s %04o\n", at, n.mode.Perm())
	}
}
