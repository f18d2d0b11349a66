package fake

import (
	"fmt"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"path"
	"slices"
	"strings"
)

// BootID returns the id of the present boot, as kernel/random/boot_id gives it.
func (h *Host) BootID() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.bootID()
}

func (h *Host) bootID() string {
	return fmt.Sprintf("%08d-0000-4000-8000-000000000000", h.boots)
}

// Reboot shuts the host down in order and boots it: every process and lock is gone,
// every file that was written is there, /run is empty, links get new indexes, and
// the sysctls have their defaults until the boot process reads sysctl.d.
func (h *Host) Reboot() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files.durable = nil
	h.restart()
}

// PowerCut is a Reboot without the shutdown: a change that was not durable is lost.
func (h *Host) PowerCut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.files.durable != nil {
		h.files.root, h.files.durable = h.files.durable, nil
	}
	h.restart()
}

func (h *Host) restart() {
	h.locks = nil
	clear(h.procs)
	h.steps.stopAt = never
	h.files.root = h.files.root.put("", newDir("run", 0o755, h.now))
	h.boot()
}

// boot is the kernel's start and what the distribution does before kubelet.
func (h *Host) boot() {
	h.boots++
	h.sysctls.reset()
	h.sysctls.force("kernel/random/boot_id", h.bootID())
	boot := slices.DeleteFunc(h.links.list, func(l link) bool { return !l.boot })
	h.links = links{}
	for _, l := range boot {
		h.addLink(l.name, true)
		h.links.list[len(h.links.list)-1].wire = l.wire
	}
	if !h.alone {
		h.sysctls.address("lo") // its address comes with the start of init
	}
	h.modules.loaded = nil
	h.chains.list = nil
	for _, m := range h.modules.known {
		if m.Builtin {
			h.addKeys(m)
		}
	}
	h.enableSwaps()
	h.mounts.now = slices.Clone(h.mounts.atBoot)
	if h.firewall.state == machine.FirewallRunning {
		h.loadZones()
	}
	h.readModulesLoad()
	h.readAll()
	h.bootUnits()
}

// reset gives every key of the kernel its default and takes all others away.
func (s *sysctls) reset() {
	for i := range s.cells {
		c := &s.cells[i]
		c.value, c.set, c.gone = c.initial, false, !c.core
	}
}

// readModulesLoad is systemd-modules-load.
func (h *Host) readModulesLoad() {
	h.eachFile([]string{"/etc/modules-load.d", "/run/modules-load.d", "/usr/lib/modules-load.d"}, func(name, body string) {
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && line[0] != ';' {
				_ = h.loadModule(line)
			}
		}
	})
}

// eachFile calls do for the files of drop-in directories, ordered by base name; a
// file hides those of its name in later directories.
func (h *Host) eachFile(dirs []string, do func(name, body string)) {
	found := make(map[string]string)
	var names []string
	for _, dir := range dirs {
		n, err := h.files.root.resolve(dir)
		if err != nil {
			continue
		}
		for _, kid := range n.kids {
			if _, hidden := found[kid.name]; hidden || path.Ext(kid.name) != ".conf" || kid.name[0] == '.' {
				continue
			}
			body := ""
			if file, err := h.files.root.resolve(dir + "/" + kid.name); err == nil {
				body = file.body
			}
			found[kid.name] = body
			names = append(names, kid.name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		do(name, found[name])
	}
}
