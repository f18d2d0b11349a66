package fake

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Mount is a file system that is mounted on a folder. A folder of /sys need not be in the
// host's tree.
type Mount struct {
	Path          string
	Filesystem    string
	Shared, Slave bool
	// Entries: its own folder is not empty.
	Entries bool
}

// mounts is what is mounted now, later ones on top, and what every boot mounts.
type mounts struct{ now, atBoot []Mount }

func (m *mounts) clone() mounts {
	return mounts{slices.Clone(m.now), slices.Clone(m.atBoot)}
}

// systemd is what that init mounts, and how it makes everything shared.
var systemd = []Mount{
	{Path: "/", Filesystem: "ext4", Shared: true, Entries: true},
	{Path: "/sys", Filesystem: "sysfs", Shared: true, Entries: true},
	{Path: "/sys/fs/bpf", Filesystem: "bpf", Shared: true},
}

// SetMounts says what is mounted, now and at every boot. Without a mount that holds it
// /sys/fs/bpf is a folder that is missing.
func (h *Host) SetMounts(list ...Mount) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mounts = mounts{slices.Clone(list), slices.Clone(list)}
}

// Mounts returns what is mounted at present.
func (h *Host) Mounts() []Mount {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.mounts.now)
}

// Unmount takes the topmost mount of a folder away, as somebody else's umount does.
func (h *Host) Unmount(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := h.mounts.on(path); i >= 0 {
		h.mounts.now = slices.Delete(slices.Clone(h.mounts.now), i, i+1)
	}
}

// on returns the topmost mount on a folder, -1 if there is none.
func (m *mounts) on(path string) int {
	for i, mount := range slices.Backward(m.now) {
		if mount.Path == path {
			return i
		}
	}
	return -1
}

// MountAt implements machine.Mounts.
func (p *Process) MountAt(path string) (machine.Mount, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return machine.Mount{}, err
	}
	if err := h.faults.kernel[path]; err != nil {
		return machine.Mount{}, wrong("mount", path, err)
	}
	m, err := h.mountAt(path)
	return m, wrong("mount", path, err)
}

func (h *Host) mountAt(folder string) (machine.Mount, error) {
	if !strings.HasPrefix(folder, "/") || path.Clean(folder) != folder {
		return machine.Mount{}, fs.ErrInvalid
	}
	above := folder
	for h.mounts.on(above) < 0 && above != "/" {
		above = path.Dir(above)
	}
	i := h.mounts.on(above)
	if i < 0 {
		return machine.Mount{}, fs.ErrNotExist
	}
	m := h.mounts.now[i]
	empty, err := h.emptyFolder(&m, folder)
	return machine.Mount{Filesystem: m.Filesystem, Own: m.Path == folder, Empty: empty, Shared: m.Shared, Slave: m.Slave}, err
}

// emptyFolder looks into a folder of a mount: the host's tree is that of /, and of sysfs
// there is /sys/fs/bpf alone.
func (h *Host) emptyFolder(m *Mount, folder string) (bool, error) {
	switch {
	case m.Path == folder:
		return !m.Entries, nil
	case m.Filesystem == "sysfs" && folder == m.Path+"/fs/bpf":
		return true, nil
	case m.Path != "/":
		return false, fs.ErrNotExist
	}
	n, err := h.files.root.walk(folder)
	switch {
	case err != nil:
		return false, err
	case !n.mode.IsDir():
		return false, machine.ErrNotRegular
	}
	return len(n.kids) == 0, nil
}

// MountBPF implements machine.Mounts.
func (p *Process) MountBPF(path string) error {
	return p.kernel(context.Background(), "mount", path, (*Host).mountBPF)
}

func (h *Host) mountBPF(path string) error {
	m, err := h.mountAt(path)
	switch {
	case err != nil:
		return err
	case m.Own || !m.Empty:
		return fs.ErrExist
	}
	h.mounts.now = append(slices.Clone(h.mounts.now), Mount{Path: path, Filesystem: "bpf", Shared: true})
	return nil
}

// Share implements machine.Mounts.
func (p *Process) Share(path string, deep bool) error {
	return p.kernel(context.Background(), "share", path, func(h *Host, path string) error { return h.share(path, deep) })
}

func (h *Host) share(path string, deep bool) error {
	i := h.mounts.on(path)
	if i < 0 {
		return machine.ErrInvalid
	}
	h.mounts.now = slices.Clone(h.mounts.now)
	h.mounts.now[i].Shared = true
	for j := range h.mounts.now {
		if below := strings.TrimSuffix(path, "/") + "/"; deep && strings.HasPrefix(h.mounts.now[j].Path, below) {
			h.mounts.now[j].Shared = true
		}
	}
	return nil
}

// print shows the mounts that are not as the boot made them.
func (m *mounts) print(b *strings.Builder) {
	if slices.Equal(m.now, m.atBoot) {
		return
	}
	for _, mount := range m.now {
		fmt.Fprintf(b, "mount %s %s shared=%t slave=%t\n", mount.Path, mount.Filesystem, mount.Shared, mount.Slave)
	}
}
