package facts

import "strings"

// CgroupMode is how a host mounts control groups.
type CgroupMode string

const (
	// NoCgroup: nothing is mounted at /sys/fs/cgroup, or nothing could be read.
	NoCgroup CgroupMode = ""
	// Legacy: version 1 alone.
	Legacy CgroupMode = "v1"
	// Hybrid: version 1 with a version 2 hierarchy beside it. It is not version 2.
	Hybrid CgroupMode = "hybrid"
	// Unified: version 2.
	Unified CgroupMode = "v2"
)

// Cgroup is a host's control groups.
type Cgroup struct {
	// Known: the mounts of the host could be read.
	Known bool
	Mode  CgroupMode
	// Controllers are those at the root of version 2: "cpu", "memory", "pids".
	Controllers []string
}

const cgroupRoot = "/sys/fs/cgroup"

// ParseCgroupMode decides by the type of what is mounted at /sys/fs/cgroup, the last
// of several. The text is that of /proc/PID/mounts.
func ParseCgroupMode(mounts string) CgroupMode {
	mode, second := NoCgroup, false
	for line := range strings.Lines(mounts) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		at, kind := f[1], f[2]
		switch {
		case at == cgroupRoot && kind == "cgroup2":
			mode, second = Unified, false
		case at == cgroupRoot:
			mode, second = Legacy, false
		case strings.HasPrefix(at, cgroupRoot+"/") && kind == "cgroup2":
			second = true
		}
	}
	if mode == Legacy && second {
		return Hybrid
	}
	return mode
}
