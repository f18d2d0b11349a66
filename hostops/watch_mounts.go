package hostops

import (
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/mount"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// mountPoll is how often mounts are looked at. The kernel tells of mounts that come and
// go, which on a node with pods is all the time, and not of a change of propagation: so
// they are read, which is not cheap where there are thousands.
const mountPoll = 5 * time.Second

// watchedMounts are the folders whose mounts are ours to keep.
var watchedMounts = map[item.Key]string{mount.BPFFS: paths.BPF, mount.RootPropagation: "/"}

// mounted is what a folder was on after the last run.
type mounted struct {
	path string
	as   machine.Mount
}

// readMounts reads the mounts that a report is about.
func (w *Watcher) readMounts(report *item.Report) []mounted {
	var out []mounted
	for _, r := range report.Results() {
		if path, ok := watchedMounts[r.Key]; ok && r.Want.Present() {
			out = append(out, mounted{path, w.mountAt(path)})
		}
	}
	return out
}

// mountAt leaves out whether the folder is empty: what is pinned there changes. What cannot
// be seen is as nothing.
func (w *Watcher) mountAt(path string) machine.Mount {
	m, err := w.machine.Mounts.MountAt(path)
	if err != nil {
		return machine.Mount{}
	}
	m.Empty = false
	return m
}

// mountsChanged compares, every few seconds, the mounts with what is expected.
func (w *Watcher) mountsChanged() bool {
	now := w.machine.Clock.Now()
	if len(w.mounts) == 0 || now.Sub(w.mountsSeen).Abs() < mountPoll {
		return false
	}
	w.mountsSeen = now
	for _, m := range w.mounts {
		if w.mountAt(m.path) != m.as {
			return true
		}
	}
	return false
}
