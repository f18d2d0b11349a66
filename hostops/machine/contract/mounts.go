package contract

import (
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// bpf is where the BPF file system belongs: a folder that sysfs has, and keeps empty.
const bpf = "/sys/fs/bpf"

// MountWorld is a host whose mounts a test may change. All of them are private at first,
// and nothing is mounted on /sys/fs/bpf.
type MountWorld interface {
	Machine() *machine.Machine
	// MountNew mounts an empty file system, private.
	MountNew(kind, path string)
	// Enslave makes / a slave of another mount, and shared as well if asked for.
	Enslave(shared bool)
}

// mountSentence is one promise about mounts and its proof.
type mountSentence struct {
	says  string
	prove func(t *testing.T, w MountWorld, m machine.Mounts)
}

// RunMounts proves every sentence about mounts on a world of its own. A world that is
// nil proves its sentence elsewhere.
func RunMounts(t *testing.T, world func(*testing.T) MountWorld) {
	for _, s := range mountSentences {
		t.Run(s.says, func(t *testing.T) {
			if w := world(t); w != nil {
				s.prove(t, w, w.Machine().Mounts)
			}
		})
	}
}

var mountSentences = []mountSentence{
	{"an empty folder of sysfs is on sysfs", func(t *testing.T, w MountWorld, m machine.Mounts) {
		bpfIsOn(t, m, machine.Mount{Filesystem: "sysfs", Empty: true})
	}},
	{"a missing folder, and what is none, is told apart", func(t *testing.T, w MountWorld, m machine.Mounts) {
		_, err := m.MountAt("/none")
		fails(t, "look at a missing folder", err, fs.ErrNotExist)
		_, err = m.MountAt("sys")
		fails(t, "look at a path without a slash", err, fs.ErrInvalid)
		fails(t, "mount on a missing folder", m.MountBPF("/none"), fs.ErrNotExist)
	}},
	{"a BPF file system is mounted, shared, though all above is private", func(t *testing.T, w MountWorld, m machine.Mounts) {
		works(t, "mount", m.MountBPF(bpf))
		bpfIsOn(t, m, machine.Mount{Filesystem: "bpf", Own: true, Shared: true})
		isPrivate(t, m, "/")
		isPrivate(t, m, "/sys")
	}},
	{"nothing is mounted on top of a BPF file system", func(t *testing.T, w MountWorld, m machine.Mounts) {
		w.MountNew("bpf", bpf)
		fails(t, "mount", m.MountBPF(bpf), fs.ErrExist)
		bpfIsOn(t, m, machine.Mount{Filesystem: "bpf", Own: true})
	}},
	// What pins there are on another file system would be hidden.
	{"nothing is mounted on top of another file system", func(t *testing.T, w MountWorld, m machine.Mounts) {
		w.MountNew("tmpfs", bpf)
		fails(t, "mount", m.MountBPF(bpf), fs.ErrExist)
		bpfIsOn(t, m, machine.Mount{Filesystem: "tmpfs", Own: true, Empty: true})
	}},
	{"of two mounts on one folder the upper one is seen", func(t *testing.T, w MountWorld, m machine.Mounts) {
		w.MountNew("bpf", bpf)
		w.MountNew("tmpfs", bpf)
		bpfIsOn(t, m, machine.Mount{Filesystem: "tmpfs", Own: true, Empty: true})
	}},
	{"a folder that has entries is not covered", func(t *testing.T, w MountWorld, m machine.Mounts) {
		fails(t, "mount on /sys", m.MountBPF("/sys"), fs.ErrExist)
		fails(t, "mount on /", m.MountBPF("/"), fs.ErrExist)
	}},
	{"one mount is made shared alone", func(t *testing.T, w MountWorld, m machine.Mounts) {
		w.MountNew("bpf", bpf)
		works(t, "share", m.Share("/sys", false))
		if got := at(t, m, "/sys"); !got.Shared {
			t.Errorf("/sys is %+v", got)
		}
		isPrivate(t, m, "/")
		isPrivate(t, m, bpf)
	}},
	{"a mount is made shared with all below it", func(t *testing.T, w MountWorld, m machine.Mounts) {
		w.MountNew("bpf", bpf)
		works(t, "share", m.Share("/", true))
		for _, path := range []string{"/", "/sys", bpf} {
			if got := at(t, m, path); !got.Shared || got.Slave || !got.Own {
				t.Errorf("%s is %+v", path, got)
			}
		}
	}},
	{"a folder without a mount of its own cannot be shared", func(t *testing.T, w MountWorld, m machine.Mounts) {
		fails(t, "share", m.Share(bpf, false), machine.ErrInvalid)
	}},
	{"a slave is told from what is shared, and may be both", func(t *testing.T, w MountWorld, m machine.Mounts) {
		w.Enslave(false)
		if got := at(t, m, "/"); got.Shared || !got.Slave {
			t.Errorf("a slave reads as %+v", got)
		}
		w.Enslave(true)
		if got := at(t, m, "/"); !got.Shared || !got.Slave {
			t.Errorf("a shared slave reads as %+v", got)
		}
	}},
}

func at(t *testing.T, m machine.Mounts, path string) machine.Mount {
	t.Helper()
	got, err := m.MountAt(path)
	works(t, "look at "+path, err)
	return got
}

// bpfIsOn holds what /sys/fs/bpf is on against what it should be.
func bpfIsOn(t *testing.T, m machine.Mounts, want machine.Mount) {
	t.Helper()
	got := at(t, m, bpf)
	if got.Filesystem == "bpf" {
		got.Empty = want.Empty // some kernels put programs of their own there
	}
	if got != want {
		t.Errorf("%s is on %+v, want %+v", bpf, got, want)
	}
}

func isPrivate(t *testing.T, m machine.Mounts, path string) {
	t.Helper()
	if got := at(t, m, path); got.Shared || got.Slave {
		t.Errorf("%s is not private: %+v", path, got)
	}
}
