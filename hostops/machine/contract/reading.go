package contract

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// reading is what files can be asked.
var reading = []sentence{
	{"a missing file is not there", func(t *testing.T, w World, m *machine.Machine) {
		_, err := m.Files.Read("/etc/none")
		fails(t, "read", err, fs.ErrNotExist)
		_, err = m.Files.Lstat("/etc/none")
		fails(t, "lstat", err, fs.ErrNotExist)
		_, err = m.Files.ReadDir("/etc/none")
		fails(t, "readdir", err, fs.ErrNotExist)
		_, err = m.Files.Readlink("/etc/none")
		fails(t, "readlink", err, fs.ErrNotExist)
	}},
	{"an empty file is there", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/empty", "")
		holds(t, m, "/etc/empty", "")
	}},
	{"links are followed within the host", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/real", "x")
		for _, l := range [][2]string{
			{"/etc/relative", "real"}, {"/etc/absolute", "/etc/real"}, {"/etc/up", "../etc/real"},
			{"/etc/outside", "../../../../etc/real"}, {"/etc/twice", "absolute"},
		} {
			w.PutLink(l[0], l[1])
			holds(t, m, l[0], "x")
		}
		w.PutLink("/var/d", "/etc")
		holds(t, m, "/var/d/real", "x")
	}},
	{"nothing is below a file", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "x")
		w.PutLink("/etc/l", "f")
		for _, path := range []string{"/etc/f/x", "/etc/f/x/y", "/etc/l/x", "/etc/l/x/y"} {
			if _, err := m.Files.Read(path); err == nil {
				t.Errorf("%s was read", path)
			}
			if _, err := m.Files.Lstat(path); err == nil {
				t.Errorf("%s was looked at", path)
			}
		}
	}},
	{"a link that leads nowhere, or to itself, is an error", func(t *testing.T, w World, m *machine.Machine) {
		w.PutLink("/etc/dangling", "none")
		_, err := m.Files.Read("/etc/dangling")
		fails(t, "read", err, fs.ErrNotExist)
		w.PutLink("/etc/loop", "loop")
		if _, err = m.Files.Read("/etc/loop"); err == nil {
			t.Error("a loop was read")
		}
	}},
	{"what is not a file is not read", func(t *testing.T, w World, m *machine.Machine) {
		w.PutPipe("/etc/pipe")
		for _, path := range []string{"/etc", "/etc/pipe"} {
			_, err := m.Files.Read(path)
			fails(t, "read "+path, err, machine.ErrNotRegular)
		}
	}},
	{"a file that is too large is refused", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/large", strings.Repeat("x", machine.MaxFileSize))
		_, err := m.Files.Read("/etc/large")
		works(t, "read the largest", err)
		w.PutFile("/etc/large", strings.Repeat("x", machine.MaxFileSize+1))
		if _, err := m.Files.Read("/etc/large"); err == nil {
			t.Error("a larger one was read")
		}
	}},
	{"a link itself is described", func(t *testing.T, w World, m *machine.Machine) {
		w.PutLink("/etc/l", "none")
		info, err := m.Files.Lstat("/etc/l")
		works(t, "lstat", err)
		if info.Mode()&fs.ModeSymlink == 0 || info.Name() != "l" {
			t.Errorf("%s has mode %v", info.Name(), info.Mode())
		}
		target, err := m.Files.Readlink("/etc/l")
		works(t, "readlink", err)
		if target != "none" {
			t.Errorf("leads to %q", target)
		}
		_, err = m.Files.Readlink("/etc")
		fails(t, "readlink of a directory", err, machine.ErrInvalid)
	}},
	{"a file is described with its owner", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "four")
		w.Chown("/etc/f", 7, 8)
		info, err := m.Files.Lstat("/etc/f")
		works(t, "lstat", err)
		owner, ok := info.Sys().(machine.Owner)
		if !ok || owner.UID != 7 || owner.GID != 8 || owner.Links != 1 {
			t.Errorf("owner %+v", info.Sys())
		}
		if info.Size() != 4 || !info.Mode().IsRegular() {
			t.Errorf("size %d, mode %v", info.Size(), info.Mode())
		}
	}},
	{"a directory lists its names in order", func(t *testing.T, w World, m *machine.Machine) {
		for _, name := range []string{"b", "a", ".h", "c"} {
			w.PutFile("/etc/d/"+name, "")
		}
		names, err := m.Files.ReadDir("/etc/d")
		works(t, "readdir", err)
		if want := []string{".h", "a", "b", "c"}; !slices.Equal(names, want) {
			t.Errorf("lists %q, want %q", names, want)
		}
		_, err = m.Files.ReadDir("/etc/d/a")
		fails(t, "readdir of a file", err, machine.ErrNotRegular)
	}},
	{"a path must be absolute and clean", func(t *testing.T, w World, m *machine.Machine) {
		for _, path := range []string{"", "etc", "/etc/", "/etc/../etc", "/etc//x", "/etc/./x"} {
			_, err := m.Files.Read(path)
			fails(t, "read "+path, err, fs.ErrInvalid)
			fails(t, "write "+path, m.Files.Write(path, nil, 0o644), fs.ErrInvalid)
			fails(t, "mkdir "+path, m.Files.Mkdir(path, 0o755), fs.ErrInvalid)
		}
	}},
}
