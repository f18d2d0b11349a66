package fake

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// sysctls is the tree below /proc/sys. Cells are never moved or removed, only
// marked gone, so that an index stays good.
type sysctls struct {
	cells    []cell
	index    map[string]int32
	shared   bool // index is shared with a clone: copy before the next change
	readOnly bool // /proc/sys is mounted read-only
}

func (s *sysctls) clone() sysctls {
	s.shared = true
	c := *s
	c.cells = slices.Clone(s.cells)
	return c
}

// find returns the cell of a path, or nil if there is none at present.
func (s *sysctls) find(path string) *cell {
	i, ok := s.index[path]
	if !ok || s.cells[i].gone || s.cells[i].hidden {
		return nil
	}
	return &s.cells[i]
}

// at returns the cell of a path, present or gone, and makes one if there is none.
func (s *sysctls) at(path string) *cell {
	if i, ok := s.index[path]; ok {
		return &s.cells[i]
	}
	s.name(path, int32(len(s.cells)))
	s.cells = append(s.cells, cell{path: path, rule: ruleOf(path)})
	return &s.cells[len(s.cells)-1]
}

// name lets a path name a cell.
func (s *sysctls) name(path string, i int32) {
	if s.shared {
		s.index, s.shared = maps.Clone(s.index), false
	}
	s.index[path] = i
}

// add creates a key, or lets it be there again, with a value that a boot gives it.
func (s *sysctls) add(path, value string) *cell {
	c := s.at(path)
	c.format, c.count = numbers(value)
	c.initial = value
	if c.format != text {
		c.initial = strings.Join(strings.Fields(value), "\t")
	}
	c.value, c.gone, c.set = c.initial, false, false
	return c
}

// read is what read(2) on the key gives, without the newline. On kernels before 6.12
// a watchdog's key is thereby set to what it shows.
func (s *sysctls) read(path string) (string, error) {
	c := s.find(path)
	switch {
	case c == nil:
		return "", s.missing(path)
	case c.foreign:
		return "", machine.ErrNotProcfs
	case c.writeOnly:
		return "", fs.ErrPermission
	}
	if c.rule == watchdog || c.rule == watchdogPart {
		c.value = s.display(c)
	}
	return s.display(c), nil
}

// list returns the names below a directory.
func (s *sysctls) list(dir string) ([]string, error) {
	prefix := dir + "/"
	seen := make(map[string]bool)
	for path, i := range s.index {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok || s.cells[i].gone || s.cells[i].hidden {
			continue
		}
		name, _, _ := strings.Cut(rest, "/")
		seen[name] = true
	}
	if len(seen) == 0 {
		return nil, fs.ErrNotExist
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// store is the kernel's side of write(2): checks first, then the value and all that
// the kernel changes with it.
func (h *Host) store(path, value string) error {
	s := &h.sysctls
	c := s.find(path)
	switch {
	case c == nil:
		return s.missing(path)
	case c.foreign:
		return machine.ErrNotProcfs
	case s.readOnly:
		return machine.ErrReadOnly
	case c.readOnly:
		return fs.ErrPermission
	}
	v, rest, err := c.parse(value)
	if err != nil {
		return err
	}
	h.assign(c, v)
	if rest {
		return fmt.Errorf("the kernel took the first %d numbers: %w", c.count, machine.ErrInvalid)
	}
	return nil
}

// missing says why a path names no key.
func (s *sysctls) missing(path string) error {
	if !fs.ValidPath(path) || path == "." {
		return fs.ErrInvalid
	}
	if _, err := s.list(path); err == nil {
		return machine.ErrNotRegular
	}
	return fs.ErrNotExist
}
