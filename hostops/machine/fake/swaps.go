package fake

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Swap is a swap device or file. Sizes are in bytes.
type Swap struct {
	Path     string
	Size     uint64
	Used     uint64
	Priority int
	File     bool // a file, not a partition
	// AtBoot: a unit or a generator takes it into use at every boot, without fstab.
	AtBoot bool
}

// swaps is the host's memory.
type swaps struct {
	total, free uint64 // bytes
	known       []Swap
	active      []Swap
}

func (s *swaps) clone() swaps {
	c := *s
	c.known, c.active = slices.Clone(s.known), slices.Clone(s.active)
	return c
}

// AddSwap gives the host a swap area and takes it into use.
func (h *Host) AddSwap(s Swap) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.swaps.forget(s.Path)
	h.swaps.known = append(h.swaps.known, s)
	h.swaps.active = append(h.swaps.active, s)
}

// RemoveSwap takes a swap area away, as if the disk was pulled while it was unused.
func (h *Host) RemoveSwap(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.swaps.forget(path)
}

func (s *swaps) forget(path string) {
	same := func(d Swap) bool { return d.Path == path }
	s.known, s.active = slices.DeleteFunc(s.known, same), slices.DeleteFunc(s.active, same)
}

// SetMemory sets MemTotal and MemAvailable, in bytes.
func (h *Host) SetMemory(total, available uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.swaps.total, h.swaps.free = total, available
}

// swapOff moves the used pages into memory; without enough of it the kernel gives up.
func (h *Host) swapOff(path string) error {
	s := &h.swaps
	i := find(s.active, path)
	if i < 0 {
		return h.noSwap(path)
	}
	if s.active[i].Used > s.free {
		return fmt.Errorf("%w: %w", machine.ErrNoMemory, syscall.ENOMEM)
	}
	s.free -= s.active[i].Used
	s.active = slices.Delete(s.active, i, i+1)
	return nil
}

func (h *Host) swapOn(path string, priority int) error {
	s := &h.swaps
	i := find(s.known, path)
	switch {
	case i < 0:
		return h.noSwap(path)
	case find(s.active, path) >= 0:
		return syscall.EBUSY
	}
	d := s.known[i]
	d.Used, d.Priority = 0, priority
	if priority < 0 {
		d.Priority = -2 - len(s.active)
	}
	s.active = append(s.active, d)
	return nil
}

// noSwap is the kernel's answer for what is no swap area in use, or none at all.
func (h *Host) noSwap(path string) error {
	if _, err := h.files.root.resolve(path); err != nil && find(h.swaps.known, path) < 0 {
		return fs.ErrNotExist
	}
	return machine.ErrInvalid
}

func find(list []Swap, path string) int {
	return slices.IndexFunc(list, func(s Swap) bool { return s.Path == path })
}

// enable takes into use what a unit or fstab names.
func (h *Host) enableSwaps() {
	h.swaps.active = nil
	for _, s := range h.swaps.known {
		if s.AtBoot || h.inFstab(s.Path) {
			_ = h.swapOn(s.Path, s.Priority)
		}
	}
}

func (h *Host) inFstab(path string) bool {
	n, err := h.files.root.resolve("/etc/fstab")
	if err != nil {
		return false
	}
	for line := range strings.Lines(n.body) {
		f := strings.Fields(line)
		if len(f) >= 3 && f[0] == path && f[2] == "swap" && !slices.Contains(f, "noauto") {
			return true
		}
	}
	return false
}

// table is /proc/swaps.
func (s *swaps) table() string {
	var b strings.Builder
	b.WriteString("Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n")
	for _, d := range s.active {
		kind := "partition"
		if d.File {
			kind = "file\t"
		}
		fmt.Fprintf(&b, "%-40s%s\t%d\t\t%d\t\t%d\n", escape(d.Path), kind, d.Size>>10, d.Used>>10, d.Priority)
	}
	return b.String()
}

// escape spells a path as the kernel's seq_path does.
func escape(path string) string {
	return strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`).Replace(path)
}

// meminfo is what callers read of /proc/meminfo.
func (s *swaps) meminfo() string {
	var size, used uint64
	for _, d := range s.active {
		size, used = size+d.Size, used+d.Used
	}
	return fmt.Sprintf("MemTotal:       %8d kB\nMemFree:        %8d kB\nMemAvailable:   %8d kB\n"+
		"SwapTotal:      %8d kB\nSwapFree:       %8d kB\n",
		s.total>>10, s.free>>11, s.free>>10, size>>10, (size-used)>>10)
}
