package contract

import (
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// links is interfaces that come and go.
var links = []sentence{
	{"lo is the first link", func(t *testing.T, w World, m *machine.Machine) {
		if i := index(t, m, "lo"); i != 1 {
			t.Errorf("lo has index %d", i)
		}
	}},
	{"a missing link is not there", func(t *testing.T, w World, m *machine.Machine) {
		for _, name := range []string{"none", "", "a-name-longer-than-15"} {
			_, err := m.Network.LinkIndex(name)
			fails(t, "index of "+name, err, fs.ErrNotExist)
		}
	}},
	{"an index is never given twice", func(t *testing.T, w World, m *machine.Machine) {
		last := 1
		for range 3 {
			w.AddLink("x0")
			i := index(t, m, "x0")
			if i <= last {
				t.Errorf("index %d after %d", i, last)
			}
			last = i
			w.RemoveLink("x0")
			_, err := m.Network.LinkIndex("x0")
			fails(t, "index of a removed link", err, fs.ErrNotExist)
		}
	}},
	{"keys come and go with the link", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v4+"x0/rp_filter", "2")
		w.RemoveLink("x0")
		_, err := m.Proc.ReadSysctl(v4 + "x0/rp_filter")
		fails(t, "read", err, fs.ErrNotExist)
		fails(t, "write", m.Proc.WriteSysctl(v4+"x0/rp_filter", "1"), fs.ErrNotExist)
		w.AddLink("x0")
		reads(t, m, v4+"x0/rp_filter", "0")
	}},
	{"a link made anew has forgotten that its key was set", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v4+"x0/rp_filter", "2")
		w.RemoveLink("x0")
		w.AddLink("x0")
		set(t, m, v4+"default/rp_filter", "1")
		reads(t, m, v4+"x0/rp_filter", "1")
	}},
	{"a renamed link keeps index, values and what was set", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v4+"x0/rp_filter", "2")
		before := index(t, m, "x0")
		w.RenameLink("x0", "x1")
		if i := index(t, m, "x1"); i != before {
			t.Errorf("index %d after the rename, %d before", i, before)
		}
		_, err := m.Proc.ReadSysctl(v4 + "x0/rp_filter")
		fails(t, "read the old name", err, fs.ErrNotExist)
		reads(t, m, v4+"x1/rp_filter", "2")
		set(t, m, v4+"default/rp_filter", "1")
		reads(t, m, v4+"x1/rp_filter", "2")
	}},
	{"a link may have dots in its name", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0.100")
		set(t, m, v4+"x0.100/rp_filter", "2")
		reads(t, m, v4+"x0.100/rp_filter", "2")
	}},
	{"another link of a name is another key", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddLink("x1")
		set(t, m, v4+"x0/rp_filter", "1")
		set(t, m, v4+"x1/rp_filter", "2")
		w.RemoveLink("x0")
		w.RenameLink("x1", "x0")
		reads(t, m, v4+"x0/rp_filter", "2")
		set(t, m, v4+"x0/rp_filter", "0")
		reads(t, m, v4+"x0/rp_filter", "0")
	}},
}

func index(t *testing.T, m *machine.Machine, name string) int {
	t.Helper()
	i, err := m.Network.LinkIndex(name)
	if err != nil {
		t.Fatalf("index of %s: %v", name, err)
	}
	return i
}
