package kmod

import (
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const header = "# Written by hostprofile: modules to load at boot. Changes are overwritten;\n" +
	"# name modules in a HostProfile.\n"

// BootFile is the file that makes the next boot load modules. It implements
// item.BootFile.
type BootFile struct{}

// Key implements item.BootFile.
func (BootFile) Key() item.Key { return item.NewKey(item.File, paths.ModulesLoad) }

// Render implements item.BootFile: one name a line, in order. Modules have no patterns.
func (BootFile) Render(lines map[item.Key]item.State, _ []item.Want) item.State {
	var names []string
	for k, s := range lines {
		if s == Loaded {
			names = append(names, k.Name())
		}
	}
	if len(names) == 0 {
		return item.Absent
	}
	slices.Sort(names)
	return item.FileState(0o644, []byte(header+strings.Join(names, "\n")+"\n"))
}

// Lines implements item.BootFile. As the reader does, it takes a line that begins with
// "#" or ";" for a comment.
func (BootFile) Lines(content item.State) map[item.Key]item.State {
	_, text, err := content.FileContent()
	if err != nil {
		return nil
	}
	lines := make(map[item.Key]item.State)
	for line := range strings.Lines(string(text)) {
		name := strings.TrimSpace(line)
		if name != "" && name[0] != '#' && name[0] != ';' {
			lines[Key(name)] = Loaded
		}
	}
	return lines
}
