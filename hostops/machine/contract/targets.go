package contract

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// targets is what is never replaced or removed.
var targets = []sentence{
	// A path that is a link by default is somebody else's file.
	{"a link is refused by name and left as it is", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/real", "x")
		w.PutLink("/etc/f", "real")
		refused(t, m, "/etc/f", "/etc/f")
		holds(t, m, "/etc/real", "x")
	}},
	{"a dangling link is refused", func(t *testing.T, w World, m *machine.Machine) {
		w.PutLink("/etc/f", "none")
		refused(t, m, "/etc/f", "/etc/f")
	}},
	{"a link to a directory on the way is refused by name", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/real", 0o755)
		w.PutLink("/var/d", "real")
		refused(t, m, "/var/d/f", "/var/d")
		fails(t, "mkdir", m.Files.Mkdir("/var/d/sub", 0o755), machine.ErrNotRegular)
		alone(t, m, "/var/real")
	}},
	{"a directory is refused", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/etc/f", 0o755)
		refused(t, m, "/etc/f", "/etc/f")
	}},
	{"a pipe is refused", func(t *testing.T, w World, m *machine.Machine) {
		w.PutPipe("/etc/f")
		refused(t, m, "/etc/f", "/etc/f")
	}},
	{"a file of two names is refused", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "x")
		w.Hardlink("/etc/f", "/etc/g")
		refused(t, m, "/etc/f", "/etc/f")
		holds(t, m, "/etc/f", "x")
	}},
	{"a file that something is mounted on is refused", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "x")
		w.Mount("/etc/f")
		refused(t, m, "/etc/f", "/etc/f")
	}},
	{"a file is no directory", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "x")
		fails(t, "write below a file", m.Files.Write("/etc/f/g", nil, 0o644), machine.ErrNotRegular)
		fails(t, "rmdir", m.Files.Rmdir("/etc/f"), machine.ErrNotRegular)
		fails(t, "chmod", m.Files.Chmod("/etc/f", 0o700), machine.ErrNotRegular)
		fails(t, "chown", m.Files.Chown("/etc/f", 1, 1), machine.ErrNotRegular)
	}},
}

// refused proves that a path is neither written nor removed, and that the error
// names the culprit.
func refused(t *testing.T, m *machine.Machine, path, culprit string) {
	t.Helper()
	for what, err := range map[string]error{
		"write":          m.Files.Write(path, []byte("ours"), 0o644),
		"write volatile": m.Files.WriteVolatile(path, []byte("ours"), 0o644),
		"remove":         m.Files.Remove(path),
	} {
		fails(t, what, err, machine.ErrNotRegular)
		if err != nil && !strings.Contains(err.Error(), culprit) {
			t.Errorf("%s: error %q does not name %s", what, err, culprit)
		}
	}
}

// failing is a file system that does not take what it is given.
var failing = []sentence{
	// A full disk must not truncate what was there.
	{"a full disk leaves the old content and nothing beside it", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/d/f", "old")
		w.FillDisk()
		err := m.Files.Write("/etc/d/f", make([]byte, 1<<20), 0o644)
		fails(t, "write", err, machine.ErrNoSpace)
		holds(t, m, "/etc/d/f", "old")
		alone(t, m, "/etc/d", "f")
	}},
	{"a full disk lets a right file be and a file be removed", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", []byte("x"), 0o644))
		w.FillDisk()
		works(t, "write again", m.Files.Write("/etc/f", []byte("x"), 0o644))
		works(t, "remove", m.Files.Remove("/etc/f"))
	}},
	// An immutable /etc.
	{"a read-only file system refuses every change", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "x")
		w.PutDir("/etc/d", 0o755)
		w.MountReadOnly("/etc")
		for what, err := range map[string]error{
			"write": m.Files.Write("/etc/f", []byte("y"), 0o644), "create": m.Files.Write("/etc/g", nil, 0o644),
			"remove": m.Files.Remove("/etc/f"), "mkdir": m.Files.Mkdir("/etc/e", 0o755),
			"rmdir": m.Files.Rmdir("/etc/d"), "chmod": m.Files.Chmod("/etc/d", 0o700), "chown": m.Files.Chown("/etc/d", 1, 1),
		} {
			fails(t, what, err, machine.ErrReadOnly)
		}
		holds(t, m, "/etc/f", "x")
	}},
	{"a read-only file system lets a right file be", func(t *testing.T, w World, m *machine.Machine) {
		works(t, "write", m.Files.Write("/etc/f", []byte("x"), 0o644))
		w.MountReadOnly("/etc")
		works(t, "write again", m.Files.Write("/etc/f", []byte("x"), 0o644))
		fails(t, "remove a missing one", m.Files.Remove("/etc/none"), fs.ErrNotExist)
	}},
}
