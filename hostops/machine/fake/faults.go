package fake

import (
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// faults are the errors that calls of a process meet.
type faults struct {
	full         bool
	strays       bool
	readOnly     []string         // directories mounted read-only
	reads        map[string]error // by file path
	changes      map[string]error // by file path
	sysctlReads  map[string]error
	sysctlWrites map[string]error
	kernel       map[string]error // by module name, swap path or mounted folder
}

func (f *faults) clone() faults {
	c := *f
	c.readOnly = slices.Clone(f.readOnly)
	c.reads, c.changes = cloneMap(f.reads), cloneMap(f.changes)
	c.sysctlReads, c.sysctlWrites = cloneMap(f.sysctlReads), cloneMap(f.sysctlWrites)
	c.kernel = cloneMap(f.kernel)
	return c
}

// change returns the error that a change of path meets. grow: it needs space.
func (f *faults) change(path string, grow bool) error {
	for _, dir := range f.readOnly {
		if path == dir || strings.HasPrefix(path, dir+"/") || dir == "/" {
			return machine.ErrReadOnly
		}
	}
	if f.full && grow {
		return machine.ErrNoSpace
	}
	return f.changes[path]
}

// put sets a value, and the zero value deletes.
func put[K, V comparable](m *map[K]V, key K, v V) {
	var zero V
	if v == zero {
		delete(*m, key)
		return
	}
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = v
}

// FillDisk makes every call fail that needs space, or ends that.
func (h *Host) FillDisk(full bool) { h.fault(func(f *faults) { f.full = full }) }

// LeaveStrays makes a process that dies at a file write leave a temporary file
// beside its target, which is what a kill in the middle of the write does.
func (h *Host) LeaveStrays(on bool) { h.fault(func(f *faults) { f.strays = on }) }

// MountReadOnly makes a directory read-only with all that is below it, or writable
// again. "/proc/sys" is the sysctls.
func (h *Host) MountReadOnly(dir string, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if dir == "/proc/sys" {
		h.sysctls.readOnly = on
		return
	}
	h.faults.readOnly = slices.DeleteFunc(h.faults.readOnly, func(d string) bool { return d == dir })
	if on {
		h.faults.readOnly = append(h.faults.readOnly, dir)
	}
}

// FailRead makes every read of a file or of a path below /proc fail, until err is nil.
func (h *Host) FailRead(path string, err error) {
	h.fault(func(f *faults) { put(&f.reads, path, err) })
}

// FailChange makes every change of a path fail, until err is nil. ErrNotDurable puts
// the new content in place all the same, for PowerCut to take back, and ErrStrayCopy
// leaves a temporary file if LeaveStrays is on.
func (h *Host) FailChange(path string, err error) {
	h.fault(func(f *faults) { put(&f.changes, path, err) })
}

// FailSysctlRead makes every read of a sysctl fail, until err is nil.
func (h *Host) FailSysctlRead(path string, err error) {
	h.fault(func(f *faults) { put(&f.sysctlReads, path, err) })
}

// FailSysctlWrite makes every write of a sysctl by a process fail, until err is nil.
func (h *Host) FailSysctlWrite(path string, err error) {
	h.fault(func(f *faults) { put(&f.sysctlWrites, path, err) })
}

// FailKernel makes LoadModule of a name, or every call that swaps to or mounts at a
// path, fail.
func (h *Host) FailKernel(name string, err error) {
	h.fault(func(f *faults) { put(&f.kernel, name, err) })
}

// EndFaults ends every fault that was asked for.
func (h *Host) EndFaults() {
	h.fault(func(f *faults) { *f = faults{} })
	h.MountReadOnly("/proc/sys", false)
}

func (h *Host) fault(change func(*faults)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.faults)
}
