package fake

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Module is a kernel module of the host.
type Module struct {
	Name string
	// Keys are the sysctls that appear with it, and their defaults.
	Keys map[string]string
	// Needs are the modules that are loaded before it.
	Needs []string
	// Builtin: part of the kernel, there from the start.
	Builtin bool
}

// modules are what the kernel has, and what of it is loaded.
type modules struct {
	known     map[string]Module // never changed once a clone may share it
	loaded    []string          // in order
	forbidden []string
}

func (m *modules) clone() modules {
	c := *m
	c.loaded, c.forbidden = slices.Clone(m.loaded), slices.Clone(m.forbidden)
	return c
}

func isModuleName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	return name != "" && name[0] != '-' && strings.Trim(name, letters) == ""
}

// present reports whether a module is loaded or built in.
func (m *modules) present(name string) bool {
	name = strings.ReplaceAll(name, "-", "_")
	return m.known[name].Builtin || slices.Contains(m.loaded, name)
}

// ForbidModule adds or removes a rule of the admin, in /etc/modprobe.d, by which the
// module is never loaded: "install NAME /bin/false" or "blacklist NAME".
func (h *Host) ForbidModule(name string, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.modules.forbidden = slices.DeleteFunc(h.modules.forbidden, func(s string) bool { return s == name })
	if on {
		h.modules.forbidden = append(h.modules.forbidden, name)
	}
}

// SetModule gives the kernel a module, from the next load on, or replaces one.
func (h *Host) SetModule(m Module) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.modules.known = cloneMap(h.modules.known)
	if h.modules.known == nil {
		h.modules.known = make(map[string]Module)
	}
	h.modules.known[m.Name] = m
}

// DropModule takes a module out of the kernel's reach, as a kernel update without a
// reboot does. One that is loaded stays loaded.
func (h *Host) DropModule(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.modules.known = cloneMap(h.modules.known)
	delete(h.modules.known, name)
}

// Load loads a module as an admin or a service does.
func (h *Host) Load(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.loadModule(name)
}

func (h *Host) loadModule(name string) error {
	name = strings.ReplaceAll(name, "-", "_")
	m, ok := h.modules.known[name]
	switch {
	case h.modules.present(name):
		return nil
	case !ok:
		return fs.ErrNotExist
	case slices.Contains(h.modules.forbidden, name):
		return machine.ErrForbidden
	}
	for _, need := range m.Needs {
		if err := h.loadModule(need); err != nil {
			return fmt.Errorf("module %s: %w", need, err)
		}
	}
	h.modules.loaded = append(h.modules.loaded, name)
	h.addKeys(m)
	return nil
}

// addKeys lets a module's sysctls appear.
func (h *Host) addKeys(m Module) {
	for path, value := range m.Keys {
		h.sysctls.add(path, value)
	}
}

// table is /proc/modules: builtin modules are not in it.
func (m *modules) table() string {
	var b strings.Builder
	for _, name := range slices.Backward(m.loaded) {
		fmt.Fprintf(&b, "%s 16384 0 - Live 0x0000000000000000\n", name)
	}
	return b.String()
}

// sys is what stands below /sys/module.
func (m *modules) sys(path string) (string, error) {
	name, file, _ := strings.Cut(path, "/")
	switch {
	case !m.present(name):
		return "", fs.ErrNotExist
	case file == "":
		return "", machine.ErrNotRegular
	case file == "initstate" && !m.known[name].Builtin:
		return "live\n", nil
	}
	return "", fs.ErrNotExist
}
