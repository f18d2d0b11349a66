package sysctl

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Reader is a program that sets sysctls from files at boot.
type Reader string

// The readers that hosts have.
const (
	Systemd Reader = "systemd-sysctl"
	Procps  Reader = "sysctl --system"
)

// File is one file of sysctl.d, or /etc/sysctl.conf.
type File struct {
	Path    string
	Real    string // what Path links to, if it is a link
	Content string
}

// name returns the path that a person has to edit.
func (f File) name() string { return cmp.Or(f.Real, f.Path) }

// LoadFiles reads what both readers could read. A file that cannot be read is there
// without content, since it hides others of its name all the same.
func LoadFiles(m *machine.Machine) ([]File, error) {
	var files []File
	for _, dir := range paths.SysctlDirs {
		names, err := m.Files.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list %s: %w", dir, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".conf") {
				files = append(files, loadFile(m, path.Join(dir, name)))
			}
		}
	}
	if _, err := m.Files.Lstat(paths.SysctlConf); err == nil {
		files = append(files, loadFile(m, paths.SysctlConf))
	}
	return files, nil
}

func loadFile(m *machine.Machine, file string) File {
	f := File{Path: file}
	if target, err := m.Files.Readlink(file); err == nil {
		if f.Real = target; !path.IsAbs(target) {
			f.Real = path.Join(path.Dir(file), target)
		}
	}
	if content, err := m.Files.Read(file); err == nil {
		f.Content = string(content)
	}
	return f
}

// inOrder returns the files that a reader reads, in its order: by base name, whatever
// the directory, a file hiding those of its name in the directories after its own.
//
// procps reads sysctl.conf at the end. systemd-sysctl reads it only through a link that
// a distribution puts into sysctl.d, and leaves out hidden files.
func inOrder(r Reader, files []File) []File {
	chosen := make(map[string]File)
	var last []File
	for _, f := range files {
		dir, base := path.Split(f.Path)
		rank := slices.Index(paths.SysctlDirs, strings.TrimSuffix(dir, "/"))
		switch {
		case f.Path == paths.SysctlConf && r == Procps:
			last = append(last, f)
		case rank < 0, r == Systemd && strings.HasPrefix(base, "."):
		default:
			if old, ok := chosen[base]; !ok || rank < slices.Index(paths.SysctlDirs, path.Dir(old.Path)) {
				chosen[base] = f
			}
		}
	}
	var ordered []File
	for _, f := range chosen {
		ordered = append(ordered, f)
	}
	slices.SortFunc(ordered, func(a, b File) int { return strings.Compare(path.Base(a.Path), path.Base(b.Path)) })
	return append(ordered, last...)
}
