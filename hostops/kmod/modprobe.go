package kmod

import (
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// rule is an install command of modprobe.d, by which a module is not loaded but a
// program run instead.
//
// A "blacklist" line is none: it only keeps a module from being loaded for an alias,
// such as a device's, and modprobe NAME loads it all the same.
type rule struct {
	file    string
	line    int
	pattern string // a module's name, "*" and "?" included
	command string
}

// forbiddenBy returns the rule that keeps a module from being loaded. modprobe takes
// the first that matches, with the files in the order of their names.
func (o *Operation) forbiddenBy(name string) (rule, bool) {
	for _, file := range o.modprobeFiles() {
		content, err := o.m.Files.Read(file)
		if err != nil {
			continue
		}
		for _, r := range parseModprobe(file, string(content)) {
			if ok, err := path.Match(r.pattern, name); ok && err == nil {
				return r, true
			}
		}
	}
	return rule{}, false
}

// modprobeFiles lists the files that modprobe reads, in its order: a file hides those
// of the same name in the directories after its own.
func (o *Operation) modprobeFiles() []string {
	files := make(map[string]string)
	var names []string
	for _, dir := range paths.ModprobeDirs {
		entries, err := o.m.Files.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, name := range entries {
			if path.Ext(name) == ".conf" && files[name] == "" {
				files[name] = path.Join(dir, name)
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = files[name]
	}
	return list
}

// parseModprobe returns the install rules of a file. A backslash at the end of a line
// joins it with the next; a rule has the number of its first line.
func parseModprobe(file, content string) []rule {
	var rules []rule
	lines := strings.Split(content, "\n")
	for i := 0; i < len(lines); i++ {
		first, text := i+1, lines[i]
		for strings.HasSuffix(text, `\`) && i+1 < len(lines) {
			i++
			text = strings.TrimSuffix(text, `\`) + lines[i]
		}
		f := strings.Fields(text)
		if len(f) < 3 || f[0] != "install" {
			continue
		}
		rules = append(rules, rule{file, first, underscored(f[1]), strings.Join(f[2:], " ")})
	}
	return rules
}
