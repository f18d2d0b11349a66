package unit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Program is the program that the unit runs.
type Program struct {
	Path string
	// Copy: it is a copy that is ours. Else somebody installed it.
	Copy bool
	// Digest is that of the program that runs now; only of a copy.
	Digest string
}

// owned reports whether a program at a path is recorded as ours.
type owned func(path string) bool

// Choose says which program the unit shall run. One from a package, or one that somebody
// has put into the folder for it, is run as it is; any other is copied. A folder may be
// given, else it is the first that can be written.
func Choose(m *machine.Machine, dir string, ours owned) (Program, *item.Error) {
	self, err := m.Programs.Self()
	if err != nil {
		return Program{}, refused("bootstrap cannot tell where it runs from: "+err.Error(), "run bootstrap from a file on this host", err)
	}
	if dir == "" && self == paths.PackagedProgram && !ours(self) {
		return Program{Path: self}, nil
	}
	place, problem := choosePlace(m, dir)
	if problem != nil {
		return Program{}, problem
	}
	p := Program{Path: path.Join(place, paths.ProgramName)}
	if self == p.Path && !ours(self) {
		return p, nil
	}
	p.Copy = true
	if p.Digest, err = digests(m, self, p.Path); err != nil {
		return p, refused("bootstrap cannot read itself: "+err.Error(), "", err)
	}
	if ours(p.Path) {
		return p, nil
	}
	return p.overTheirs(m, self)
}

// ReadAhead begins to read the program that runs, which takes a while: what needs its digest
// then finds it read. The caller waits for the end of it, whatever it was.
func ReadAhead(m *machine.Machine) (wait func()) {
	var reading sync.WaitGroup
	reading.Go(func() {
		if self, err := m.Programs.Self(); err == nil {
			_, _ = m.Programs.Digest(self)
		}
	})
	return reading.Wait
}

// digests returns the digest of the program that runs. The copy is wanted next, and both
// are read side by side.
func digests(m *machine.Machine, self, copied string) (string, error) {
	var beside sync.WaitGroup
	if copied != self {
		beside.Go(func() { _, _ = m.Programs.Digest(copied) })
	}
	defer beside.Wait()
	return m.Programs.Digest(self)
}

// overTheirs looks at what is in the program's place and not ours. The same program is
// left to whom it belongs, and another one is not replaced: it could not be given back.
func (p Program) overTheirs(m *machine.Machine, self string) (Program, *item.Error) {
	digest, err := m.Programs.Digest(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err == nil && digest == p.Digest:
		return Program{Path: p.Path}, nil
	default:
		return p, refused(p.Path+" is there, is another program and is not ours",
			fmt.Sprintf("install -m 755 %s %s, or --bin-dir DIR", self, p.Path), err)
	}
}

// choosePlace returns the folder for the copy.
func choosePlace(m *machine.Machine, dir string) (string, *item.Error) {
	if dir != "" {
		return checkPlace(m, dir)
	}
	place, problem := checkPlace(m, paths.ProgramDir)
	if problem == nil {
		return place, nil
	}
	if place, inOpt := checkPlace(m, paths.ProgramDirInOpt); inOpt == nil {
		return place, nil
	}
	return "", problem
}

// fleeting are folders whose content is somebody's own or does not outlive a boot.
var fleeting = []string{"/tmp", "/var/tmp", "/run", "/var/run", "/dev", "/proc", "/sys", "/home", "/root"}

func checkPlace(m *machine.Machine, dir string) (string, *item.Error) {
	const fix = "--bin-dir DIR"
	if !path.IsAbs(dir) {
		return "", refused(fmt.Sprintf("the folder %q for the program is no absolute path", dir), fix, nil)
	}
	place, err := m.Programs.Place(path.Clean(dir))
	within := func(f string) bool { return place.Dir == f || strings.HasPrefix(place.Dir, f+"/") }
	switch {
	case err != nil:
		return "", refused(fmt.Sprintf("%s cannot hold the program: %v", dir, err), fix, err)
	case slices.ContainsFunc(fleeting, within):
		return "", refused(dir+" is no place for a program that every boot runs", fix, nil)
	case !place.Safe:
		return "", refused(fmt.Sprintf("%s, or a folder above it, is not root's alone", place.Dir), "chown root and chmod o-w, or "+fix, nil)
	case place.ReadOnly:
		return "", refused(place.Dir+" is on a read-only file system", fix, nil)
	case place.NoExec:
		return "", refused("nothing can be run from "+place.Dir+": it is mounted with noexec", fix, nil)
	}
	if err := checkProgram(path.Join(place.Dir, paths.ProgramName)); err != nil {
		return "", refused(err.Error(), fix, nil)
	}
	return place.Dir, nil
}

func refused(message, fix string, err error) *item.Error {
	return &item.Error{Reason: NotInstallable, Message: message, Fix: fix, Err: err}
}
