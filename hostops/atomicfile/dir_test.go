package atomicfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

// place is a directory under test, with a log of what is done in it.
type place struct {
	t    *testing.T
	path string
	dir  atomicfile.Dir
	log  *record.System
}

func newPlace(t *testing.T) *place {
	t.Helper()
	path := memory(t)
	dir, err := atomicfile.OpenDir(path)
	must(t, err)
	t.Cleanup(func() { must(t, dir.Close()) })
	log := &record.System{Inner: atomicfile.Kernel{}}
	dir.System = log
	return &place{t, path, dir, log}
}

// memory returns a directory that costs no disk writes, if there is one: thousands of
// cases sync several times each.
func memory(t *testing.T) string {
	t.Helper()
	path, err := os.MkdirTemp("/dev/shm", "atomicfile")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { must(t, os.RemoveAll(path)) })
	return path
}

func (p *place) at(name string) string { return filepath.Join(p.path, name) }

func (p *place) put(name, content string) {
	p.t.Helper()
	must(p.t, os.WriteFile(p.at(name), []byte(content), 0o600))
}

// holds holds a file against a content; "-" is no file.
func (p *place) holds(name, want string) {
	p.t.Helper()
	got, err := os.ReadFile(p.at(name))
	if os.IsNotExist(err) {
		got = []byte("-")
	}
	if string(got) != want {
		p.t.Errorf("%s holds %.40q, want %.40q", name, got, want)
	}
}

// strays returns the temporary files in the directory.
func (p *place) strays() []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.path)
	must(p.t, err)
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "~") {
			names = append(names, e.Name())
		}
	}
	return names
}

// clean fails if there is a temporary file.
func (p *place) clean() {
	p.t.Helper()
	if s := p.strays(); s != nil {
		p.t.Errorf("left behind: %q", s)
	}
}

// ops returns the logged calls by name, those on the directory marked.
func (p *place) ops() []string {
	var ops []string
	for _, c := range p.log.Calls {
		if c.Dir {
			c.Op += " directory"
		}
		ops = append(ops, c.Op)
	}
	return ops
}

// descriptors returns what this process has open.
func descriptors(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	var open []string
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			open = append(open, target)
		}
	}
	slices.Sort(open)
	return open
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
