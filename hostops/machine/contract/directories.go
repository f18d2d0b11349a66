package contract

import (
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// directories is directories made, changed and removed.
var directories = []sentence{
	{"a directory is made with exactly its mode", func(t *testing.T, w World, m *machine.Machine) {
		for path, mode := range map[string]fs.FileMode{"/var/a": 0o755, "/var/b": 0o700, "/var/c": 0o777} {
			works(t, "mkdir", m.Files.Mkdir(path, mode))
			isOurs(t, m, path, mode)
		}
	}},
	{"a directory that is there is not made", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/a", 0o700)
		fails(t, "mkdir", m.Files.Mkdir("/var/a", 0o755), fs.ErrExist)
		isOurs(t, m, "/var/a", 0o700)
		w.PutLink("/var/l", "a")
		fails(t, "mkdir over a link", m.Files.Mkdir("/var/l", 0o755), fs.ErrExist)
	}},
	{"one directory is made, not those above it", func(t *testing.T, w World, m *machine.Machine) {
		fails(t, "mkdir", m.Files.Mkdir("/var/none/a", 0o755), fs.ErrNotExist)
	}},
	{"the mode of a directory is changed", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/a", 0o755)
		works(t, "chmod", m.Files.Chmod("/var/a", 0o700))
		isOurs(t, m, "/var/a", 0o700)
		fails(t, "chmod of none", m.Files.Chmod("/var/none", 0o700), fs.ErrNotExist)
		w.PutLink("/var/l", "a")
		fails(t, "chmod of a link", m.Files.Chmod("/var/l", 0o755), machine.ErrNotRegular)
		isOurs(t, m, "/var/a", 0o700)
	}},
	{"set-id and sticky bits of a directory are seen and set", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/a", 0o755|fs.ModeSetgid|fs.ModeSticky)
		hasBits(t, m, 0o755|fs.ModeSetgid|fs.ModeSticky)
		works(t, "chmod", m.Files.Chmod("/var/a", 0o700))
		hasBits(t, m, 0o700)
		works(t, "chmod back", m.Files.Chmod("/var/a", 0o755|fs.ModeSetgid))
		hasBits(t, m, 0o755|fs.ModeSetgid)
	}},
	{"a directory is given to somebody with its mode", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/a", 0o750|fs.ModeSetgid)
		works(t, "chown", m.Files.Chown("/var/a", 7, 8))
		hasBits(t, m, 0o750|fs.ModeSetgid)
		info, err := m.Files.Lstat("/var/a")
		works(t, "lstat", err)
		if owner := info.Sys().(machine.Owner); owner.UID != 7 || owner.GID != 8 {
			t.Errorf("it belongs to %d:%d", owner.UID, owner.GID)
		}
		fails(t, "chown of none", m.Files.Chown("/var/none", 7, 8), fs.ErrNotExist)
		w.PutLink("/var/l", "a")
		fails(t, "chown of a link", m.Files.Chown("/var/l", 0, 0), machine.ErrNotRegular)
	}},
	// What others have mounted is never taken away with a directory.
	{"a directory that something is mounted on is not removed", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/a", 0o755)
		w.MountDir("/var/a")
		fails(t, "rmdir", m.Files.Rmdir("/var/a"), machine.ErrBusy)
	}},
	{"an empty directory is removed, a full one is not", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/var/a/f", "x")
		fails(t, "rmdir", m.Files.Rmdir("/var/a"), machine.ErrNotEmpty)
		holds(t, m, "/var/a/f", "x")
		works(t, "remove", m.Files.Remove("/var/a/f"))
		works(t, "rmdir", m.Files.Rmdir("/var/a"))
		fails(t, "rmdir again", m.Files.Rmdir("/var/a"), fs.ErrNotExist)
	}},
	{"a link to a directory is not removed", func(t *testing.T, w World, m *machine.Machine) {
		w.PutDir("/var/a", 0o755)
		w.PutLink("/var/l", "a")
		fails(t, "rmdir", m.Files.Rmdir("/var/l"), machine.ErrNotRegular)
	}},
}

// hasBits holds the directory /var/a against its permission, set-id and sticky bits.
func hasBits(t *testing.T, m *machine.Machine, want fs.FileMode) {
	t.Helper()
	info, err := m.Files.Lstat("/var/a")
	works(t, "lstat", err)
	if got := info.Mode() &^ fs.ModeDir; got != want {
		t.Errorf("it has mode %v, want %v", got, want)
	}
}
