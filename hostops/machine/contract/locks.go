package contract

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// locks is how two runs are kept apart.
var locks = []sentence{
	{"a lock excludes, and names its holder", func(t *testing.T, w World, m *machine.Machine) {
		release, err := m.Locks.TryLock("/run/l", "bootstrap up, pid 1")
		works(t, "lock", err)
		for _, other := range []*machine.Machine{m, w.Machine()} {
			_, err = other.Locks.TryLock("/run/l", "second")
			var busy *machine.BusyError
			if !errors.As(err, &busy) || busy.Holder != "bootstrap up, pid 1" || busy.Path != "/run/l" {
				t.Errorf("second lock: %v", err)
			}
		}
		works(t, "release", release())
		release, err = w.Machine().Locks.TryLock("/run/l", "third")
		works(t, "lock after release", err)
		works(t, "release", release())
	}},
	{"the holder is told to whoever looks, and looking keeps nobody out", func(t *testing.T, w World, m *machine.Machine) {
		holder := func(want string) {
			t.Helper()
			if got, err := w.Machine().Locks.Holder("/run/l"); got != want || err != nil {
				t.Errorf("holder %q, %v; want %q", got, err, want)
			}
		}
		holder("") // there is no such file
		release, err := m.Locks.TryLock("/run/l", "agent, pid 1")
		works(t, "lock", err)
		holder("agent, pid 1")
		works(t, "release", release())
		holder("")
		w.PutFile("/run/l", "a process that died")
		holder("")
	}},
	{"a release ends its own lock only, and only once", func(t *testing.T, w World, m *machine.Machine) {
		first, err := m.Locks.TryLock("/run/l", "first")
		works(t, "lock", err)
		works(t, "release", first())
		second, err := m.Locks.TryLock("/run/l", "second")
		works(t, "lock", err)
		works(t, "release the first again", first())
		if _, err := m.Locks.TryLock("/run/l", "third"); err == nil {
			t.Error("the second lock is gone")
		}
		works(t, "release", second())
	}},
	{"locks of two paths do not meet", func(t *testing.T, w World, m *machine.Machine) {
		a, err := m.Locks.TryLock("/run/a", "a")
		works(t, "lock", err)
		b, err := m.Locks.TryLock("/run/b", "b")
		works(t, "lock", err)
		works(t, "release", errors.Join(a(), b()))
	}},
	{"an old note is no lock", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/run/l", "a process that died")
		release, err := m.Locks.TryLock("/run/l", "new")
		works(t, "lock", err)
		_, err = m.Locks.TryLock("/run/l", "second")
		if busy := (*machine.BusyError)(nil); !errors.As(err, &busy) || busy.Holder != "new" {
			t.Errorf("second lock: %v", err)
		}
		works(t, "release", release())
	}},
	{"a lock file that was removed is made anew", func(t *testing.T, w World, m *machine.Machine) {
		release, err := m.Locks.TryLock("/run/l", "first")
		works(t, "lock", err)
		works(t, "release", release())
		works(t, "remove", m.Files.Remove("/run/l"))
		release, err = m.Locks.TryLock("/run/l", "second")
		works(t, "lock", err)
		works(t, "release", release())
	}},
	{"a lock whose file was removed keeps nobody out", func(t *testing.T, w World, m *machine.Machine) {
		first, err := m.Locks.TryLock("/run/l", "first")
		works(t, "lock", err)
		works(t, "remove", m.Files.Remove("/run/l"))
		second, err := w.Machine().Locks.TryLock("/run/l", "second")
		works(t, "lock anew", err)
		works(t, "release the first", first())
		if got, err := m.Locks.Holder("/run/l"); got != "second" || err != nil {
			t.Errorf("holder %q, %v", got, err)
		}
		works(t, "release", second())
	}},
	{"the directory must exist, and the file be one", func(t *testing.T, w World, m *machine.Machine) {
		_, err := m.Locks.TryLock("/run/none/l", "x")
		fails(t, "lock", err, fs.ErrNotExist)
		w.PutFile("/run/real", "")
		w.PutLink("/run/l", "real")
		_, err = m.Locks.TryLock("/run/l", "x")
		fails(t, "lock a link", err, machine.ErrNotRegular)
		w.PutFile("/run/other", "somebody else's")
		w.Hardlink("/run/other", "/run/h")
		_, err = m.Locks.TryLock("/run/h", "x")
		fails(t, "lock a file of two names", err, machine.ErrNotRegular)
		holds(t, m, "/run/other", "somebody else's")
		w.PutDir("/run/d", 0o755)
		_, err = m.Locks.TryLock("/run/d", "x")
		fails(t, "lock a directory", err, machine.ErrNotRegular)
	}},
}
