package fake

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// units is the host's systemd. Unit files and what enables them are in the tree.
type units struct {
	runs    bool
	loaded  map[string]string // by unit: the texts that systemd has read
	running map[string]int    // by unit: its process
	pids    int
	fault   error // what every call that systemd answers meets
}

func (u *units) clone() units {
	c := *u
	c.loaded, c.running = cloneMap(u.loaded), cloneMap(u.running)
	return c
}

// unitDirs are where systemd looks for units, the first that has one wins.
var unitDirs = []string{"/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system"}

// HasSystemd is a host whose init is systemd.
func HasSystemd() Option { return func(s *setup) { s.systemd = true } }

func (s *setup) buildUnits(h *Host) {
	h.units.runs = s.systemd
	if s.systemd {
		for _, dir := range []string{"/etc/systemd", "/usr/lib/systemd"} {
			h.files.root = h.files.root.mkdirs(dir, newDir("system", 0o755, h.now))
		}
	}
}

// bootUnits starts what is enabled.
func (h *Host) bootUnits() {
	h.units.loaded, h.units.running = nil, nil
	if !h.units.runs {
		return
	}
	h.files.root = h.files.root.mkdirs("/run/systemd", newDir("system", 0o755, h.now))
	n, err := h.files.root.resolve(wantsDir)
	if err != nil {
		return
	}
	for _, kid := range n.kids {
		if h.unitState(kid.name) == machine.UnitEnabled {
			h.startUnit(kid.name)
		}
	}
}

func (h *Host) startUnit(name string) {
	h.units.pids++
	put(&h.units.running, name, 1000+h.units.pids)
	put(&h.units.loaded, name, h.unitText(name))
}

// FailSystemd makes every call that systemd answers fail, until err is nil.
func (h *Host) FailSystemd(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.units.fault = err
}

// RunningUnits are the units that run, by name.
func (h *Host) RunningUnits() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(h.units.running))
}

// EndUnit is a unit whose process ended and is not started again.
func (h *Host) EndUnit(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.units.running, name)
}

// unitFile returns the path and the node of a unit's file; nil if it has none.
func (h *Host) unitFile(name string) (string, *node) {
	for _, dir := range unitDirs {
		if n, err := h.files.root.lresolve(dir + "/" + name); err == nil {
			return dir + "/" + name, n
		}
	}
	return "", nil
}

func (h *Host) unitState(name string) machine.UnitState {
	_, n := h.unitFile(name)
	switch {
	case n == nil:
		return machine.UnitAbsent
	case n.mode&fs.ModeSymlink != 0 && n.body == "/dev/null", n.mode.IsRegular() && n.body == "":
		return machine.UnitMasked
	case !strings.Contains(n.body, "\nWantedBy="+wantedBy+"\n"):
		return "static"
	}
	if _, err := h.files.root.lresolve(wantsDir + "/" + name); err == nil {
		return machine.UnitEnabled
	}
	return machine.UnitDisabled
}

// The one target that units of this host are wanted by.
const (
	wantedBy = "multi-user.target"
	wantsDir = "/etc/systemd/system/" + wantedBy + ".wants"
)

// unitText is all that systemd would read of a unit now.
func (h *Host) unitText(name string) string {
	where, n := h.unitFile(name)
	if n == nil {
		return ""
	}
	text := where + "\n" + n.body
	for _, dir := range unitDirs {
		if d, err := h.files.root.resolve(path.Join(dir, name+".d")); err == nil {
			for _, kid := range d.kids {
				text += "\n" + dir + "/" + kid.name + "\n" + kid.body
			}
		}
	}
	return text
}

func (u *units) print(b *strings.Builder) {
	for _, name := range slices.Sorted(maps.Keys(u.running)) {
		b.WriteString("running " + name + "\n")
	}
}
