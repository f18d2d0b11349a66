package contract

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// RunMany proves what is said of many sysctls at once. Its worlds are what the process sees,
// and not only one of its threads.
func RunMany(t *testing.T, world func(*testing.T) World) {
	for _, s := range many {
		t.Run(s.says, func(t *testing.T) {
			w := world(t)
			for i := range manyLinks {
				w.AddLink(manyLink(i))
				t.Cleanup(func() { w.RemoveLink(manyLink(i)) })
			}
			s.prove(t, w, w.Machine())
		})
	}
}

// manyLinks is how many links have the keys, and manyKeys which: together more than are read
// one by one.
const manyLinks = 20

var manyKeys = []string{"tag", "log_martians", "arp_filter", "src_valid_mark"}

func manyLink(i int) string { return fmt.Sprintf("m%d", i) }

// manyPaths are the keys, those of a link one after the other.
func manyPaths() []string {
	var paths []string
	for i := range manyLinks {
		for _, key := range manyKeys {
			paths = append(paths, v4+manyLink(i)+"/"+key)
		}
	}
	return paths
}

// setMany gives each key a value of its own.
func setMany(t *testing.T, m *machine.Machine, paths []string) {
	t.Helper()
	writes := make([]machine.SysctlWrite, len(paths))
	for i, path := range paths {
		writes[i] = machine.SysctlWrite{Path: path, Text: fmt.Sprint(i)}
	}
	for i, err := range m.Proc.WriteSysctls(writes) {
		works(t, "write "+paths[i], err)
	}
}

// many is what holds for more sysctls than are served one by one.
var many = []sentence{
	{"none are none", func(t *testing.T, w World, m *machine.Machine) {
		if texts, errs := m.Proc.ReadSysctls(nil), m.Proc.WriteSysctls(nil); len(texts) != 0 || len(errs) != 0 {
			t.Errorf("%v, %v", texts, errs)
		}
	}},
	{"each is written and read as on its own", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		setMany(t, m, paths)
		for i, text := range m.Proc.ReadSysctls(paths) {
			works(t, "read "+paths[i], text.Err)
			if want := fmt.Sprint(i); text.Text != want {
				t.Errorf("%s reads as %q, want %q", paths[i], text.Text, want)
			}
			reads(t, m, paths[i], fmt.Sprint(i))
		}
	}},
	{"what others write is read", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		setMany(t, m, paths)
		set(t, w.Machine(), paths[7], "1007")
		if got := m.Proc.ReadSysctls(paths)[7]; got.Text != "1007" {
			t.Errorf("reads as %+v", got)
		}
	}},
	{"what cannot be read is an error among the others", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		set(t, m, paths[3], "3")
		paths[0], paths[1], paths[2] = v4+"none/tag", "net/ipv4/route/flush", "net/../net"
		texts := m.Proc.ReadSysctls(paths)
		fails(t, "missing", texts[0].Err, fs.ErrNotExist)
		fails(t, "write-only", texts[1].Err, fs.ErrPermission)
		fails(t, "no path", texts[2].Err, fs.ErrInvalid)
		if texts[3].Err != nil || texts[3].Text != "3" {
			t.Errorf("the next one: %+v", texts[3])
		}
	}},
	{"what cannot be written is an error among the others", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		before := get(t, m, paths[1])
		writes := make([]machine.SysctlWrite, len(paths))
		for i, path := range paths {
			writes[i] = machine.SysctlWrite{Path: path, Text: "9"}
		}
		writes[0].Path, writes[1].Text, writes[2].Path = v4+"none/tag", "x", v4+manyLink(0)+"/mc_forwarding"
		errs := m.Proc.WriteSysctls(writes)
		fails(t, "missing", errs[0], fs.ErrNotExist)
		fails(t, "no number", errs[1], machine.ErrInvalid)
		fails(t, "read-only", errs[2], fs.ErrPermission)
		for i := 3; i < len(paths); i++ {
			works(t, "write "+paths[i], errs[i])
			reads(t, m, paths[i], "9")
		}
		reads(t, m, paths[1], before)
	}},
	{"keys of a link made anew are the new link's", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		setMany(t, m, paths)
		w.RemoveLink(manyLink(5))
		fails(t, "read of a removed link", m.Proc.ReadSysctls(paths)[20].Err, fs.ErrNotExist)
		w.AddLink(manyLink(5))
		if got := m.Proc.ReadSysctls(paths)[20]; got.Err != nil || got.Text != "0" {
			t.Errorf("reads as %+v", got)
		}
	}},
	{"to open ahead and to close changes nothing", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		m.Proc.OpenSysctls(append(paths, v4+"none/tag", "net/../net"))
		setMany(t, m, paths)
		m.Proc.CloseSysctls()
		m.Proc.CloseSysctls()
		for i, text := range m.Proc.ReadSysctls(paths) {
			if want := fmt.Sprint(i); text.Err != nil || text.Text != want {
				t.Errorf("%s reads as %+v, want %q", paths[i], text, want)
			}
		}
	}},
	{"what was opened ahead and is another link's by now is not written", func(t *testing.T, w World, m *machine.Machine) {
		paths := manyPaths()
		m.Proc.OpenSysctls(paths)
		w.RemoveLink(manyLink(5))
		fails(t, "read", m.Proc.ReadSysctls(paths)[20].Err, fs.ErrNotExist)
		w.AddLink(manyLink(5))
		setMany(t, m, paths)
		reads(t, m, paths[20], "20")
	}},
	{"a lock ends for others when it is released", func(t *testing.T, w World, m *machine.Machine) {
		release, err := m.Locks.TryLock("/run/lock", "one")
		works(t, "lock", err)
		setMany(t, m, manyPaths())
		works(t, "release", release())
		_, err = w.Machine().Locks.TryLock("/run/lock", "other")
		works(t, "lock of another", err)
	}},
}
