package offline

import (
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Of returns a machine like m that does not run. The firewall stays that of m: it must be one
// that asks nobody.
func Of(m *machine.Machine) *machine.Machine {
	f := files{m.Files}
	return &machine.Machine{
		Files: f, Locks: still{}, Proc: still{}, Kernel: still{}, Mounts: still{}, Network: still{},
		Firewall: m.Firewall, Units: units{f}, Programs: m.Programs, SELinux: m.SELinux, Clock: m.Clock,
	}
}

// passing are the folders whose content is not the image's.
var passing = []string{"/proc", "/sys", "/run", "/dev"}

func passes(path string) bool {
	return slices.ContainsFunc(passing, func(dir string) bool { return within(dir, path) })
}

func within(dir, path string) bool {
	return path == dir || len(path) > len(dir) && path[:len(dir)+1] == dir+"/"
}
