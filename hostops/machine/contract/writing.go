package contract

import (
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// writing is how files are replaced.
var writing = []sentence{
	{"a file is created with its mode and owner", func(t *testing.T, w World, m *machine.Machine) {
		for _, mode := range []fs.FileMode{0o600, 0o644, 0o755, 0o666} {
			works(t, "write", m.Files.Write("/etc/f", []byte("new"), mode))
			holds(t, m, "/etc/f", "new")
			isOurs(t, m, "/etc/f", mode)
		}
	}},
	{"a file is replaced", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "old and longer")
		works(t, "write", m.Files.Write("/etc/f", []byte("new"), 0o644))
		holds(t, m, "/etc/f", "new")
	}},
	{"a file that is right already is not written", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", []byte("x"), 0o644))
		before := w.Identity("/etc/f")
		works(t, "write again", m.Files.Write("/etc/f", []byte("x"), 0o644))
		works(t, "write again", m.Files.WriteVolatile("/etc/f", []byte("x"), 0o644))
		if w.Identity("/etc/f") != before {
			t.Error("it was written")
		}
	}},
	{"a file of another mode or owner is written", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", []byte("x"), 0o600))
		works(t, "write with another mode", m.Files.Write("/etc/f", []byte("x"), 0o644))
		isOurs(t, m, "/etc/f", 0o644)
		w.Chown("/etc/f", 7, 7)
		works(t, "write for another owner", m.Files.Write("/etc/f", []byte("x"), 0o644))
		isOurs(t, m, "/etc/f", 0o644)
	}},
	{"a volatile file is written like any", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.WriteVolatile("/run/f", []byte("1"), 0o600))
		works(t, "replace", m.Files.WriteVolatile("/run/f", []byte("2"), 0o600))
		holds(t, m, "/run/f", "2")
	}},
	{"an empty file is written", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", nil, 0o644))
		holds(t, m, "/etc/f", "")
	}},
	// A stateless /etc may lack sysctl.d; making it is its own step.
	{"the directory must exist", func(t *testing.T, w World, m *machine.Machine) {
		fails(t, "write", m.Files.Write("/etc/none/f", nil, 0o644), fs.ErrNotExist)
	}},
	{"a write leaves nothing beside the file", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", []byte("x"), 0o644))
		alone(t, m, "/etc", "f")
	}},
	{"a name is made durable, there or gone", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", []byte("x"), 0o644))
		works(t, "settle", m.Files.Settle("/etc/f"))
		works(t, "settle a file that is gone", m.Files.Settle("/etc/gone"))
		holds(t, m, "/etc/f", "x")
		alone(t, m, "/etc", "f")
		fails(t, "settle in a folder that is gone", m.Files.Settle("/etc/none/f"), fs.ErrNotExist)
	}},
	{"a file tells by its time that it may not be durable", func(t *testing.T, w World, m *machine.Machine) {
		w.WriteUndurably("/etc/f", "x")
		holds(t, m, "/etc/f", "x")
		isDurable(t, m, "/etc/f", false)
		works(t, "write again", m.Files.Write("/etc/f", []byte("x"), 0o644))
		isDurable(t, m, "/etc/f", true)
		w.WriteUndurably("/etc/f", "y")
		isDurable(t, m, "/etc/f", false)
	}},
	{"a file is removed", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "x")
		works(t, "remove", m.Files.Remove("/etc/f"))
		fails(t, "remove again", m.Files.Remove("/etc/f"), fs.ErrNotExist)
		alone(t, m, "/etc")
	}},
	{"strays of a file are swept, and nothing else", func(t *testing.T, w World, m *machine.Machine) {
		stray := atomicfile.TempName("f", "0123456789abcdef")
		other := atomicfile.TempName("g", "0123456789abcdef")
		for _, name := range []string{stray, other, "f", ".f.bak", ".f.x" + stray} {
			w.PutFile("/etc/"+name, "x")
		}
		swept, err := m.Files.Sweep("/etc/f")
		works(t, "sweep", err)
		if len(swept) != 1 || swept[0] != stray {
			t.Errorf("swept %q", swept)
		}
		if names, _ := m.Files.ReadDir("/etc"); len(names) != 4 {
			t.Errorf("left %q", names)
		}
		swept, err = m.Files.Sweep("/etc/f")
		works(t, "sweep again", err)
		if len(swept) != 0 {
			t.Errorf("swept again %q", swept)
		}
	}},
}

// alone holds a directory against its names.
func alone(t *testing.T, m *machine.Machine, dir string, want ...string) {
	t.Helper()
	names, err := m.Files.ReadDir(dir)
	works(t, "readdir", err)
	if len(names) != len(want) || len(want) == 1 && names[0] != want[0] {
		t.Errorf("%s holds %q, want %q", dir, names, want)
	}
}

func isDurable(t *testing.T, m *machine.Machine, path string, want bool) {
	t.Helper()
	info, err := m.Files.Lstat(path)
	works(t, "lstat", err)
	if info.ModTime().Equal(machine.NotDurable) == want {
		t.Errorf("%s, durable %v, was modified at %v", path, want, info.ModTime())
	}
}

func isOurs(t *testing.T, m *machine.Machine, path string, mode fs.FileMode) {
	t.Helper()
	info, err := m.Files.Lstat(path)
	works(t, "lstat", err)
	if info.Mode().Perm() != mode {
		t.Errorf("%s has mode %v, want %v", path, info.Mode().Perm(), mode)
	}
	if owner := info.Sys().(machine.Owner); owner.UID != 0 || owner.GID != 0 {
		t.Errorf("%s belongs to %d:%d", path, owner.UID, owner.GID)
	}
}
