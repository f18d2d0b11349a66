package tuned

import (
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Active is what TuneD has in force on a host.
type Active struct {
	// Profiles are the names of the active profiles, in their order.
	Profiles []string
	// Reapplies: once its own settings are made, TuneD reads the files of sysctl.d again,
	// so that those win.
	Reapplies bool
	// Settings are the kernel settings of the profiles, each once: of several lines the one
	// that counts.
	Settings []Setting
}

// Setting is a kernel setting of a profile.
type Setting struct {
	Name string // as it is written
	// Value is without quotes. Where it is made of variables, Computed is set.
	Value    string
	Computed bool
	// Bound is ">" if the value is set only where the present one is smaller, "<" if only
	// where it is larger, and empty if it is set.
	Bound string
	File  string
	Line  int
}

// Read looks for the active profiles. ok is false on a host without any.
func Read(m *machine.Machine) (a Active, ok bool) {
	text, err := m.Files.Read(paths.TunedActive)
	if err != nil {
		return a, false
	}
	a.Profiles = strings.Fields(string(text))
	if len(a.Profiles) == 0 {
		return a, false
	}
	a.Reapplies = reapplies(m)
	r := reader{m: m, at: map[string]int{}}
	for _, name := range a.Profiles {
		r.profile(name)
	}
	a.Settings = r.settings
	return a, true
}

// reapplies is on unless it is switched off.
func reapplies(m *machine.Machine) bool {
	text, err := m.Files.Read(paths.TunedMain)
	if err != nil {
		return true
	}
	for _, l := range parse(string(text)) {
		if l.key == "reapply_sysctl" {
			return !slices.Contains([]string{"0", "false", "no", "off"}, strings.ToLower(l.value))
		}
	}
	return true
}

// reader gathers the settings of profiles; later ones replace earlier ones.
type reader struct {
	m        *machine.Machine
	settings []Setting
	at       map[string]int // index by name
	within   []string       // profiles that are being read, against loops
}

// profile reads one profile: first what it includes, then its own settings.
func (r *reader) profile(name string) {
	if slices.Contains(r.within, name) || strings.Contains(name, "/") {
		return
	}
	r.within = append(r.within, name)
	defer func() { r.within = r.within[:len(r.within)-1] }()
	file, content := r.find(name)
	if file == "" {
		return
	}
	lines := parse(content)
	for _, l := range lines {
		if l.section == "main" && l.key == "include" {
			for _, parent := range strings.FieldsFunc(l.value, func(c rune) bool { return strings.ContainsRune(",; \t", c) }) {
				r.profile(parent)
			}
		}
	}
	units := sysctlUnits(lines)
	for _, l := range lines {
		if units[l.section] && !slices.Contains(options, l.key) {
			r.add(l, file)
		}
	}
}

// options are the words of a section that are no settings.
var options = []string{"type", "enabled", "replace", "drop", "devices", "priority"}

// sysctlUnits are the sections that set kernel settings: the one of that name, and those of
// that type.
func sysctlUnits(lines []line) map[string]bool {
	units := map[string]bool{"sysctl": true}
	for _, l := range lines {
		if l.key == "type" {
			units[l.section] = l.value == "sysctl"
		}
	}
	for _, l := range lines {
		if l.key == "enabled" && slices.Contains([]string{"0", "false", "no", "off"}, strings.ToLower(l.value)) {
			units[l.section] = false
		}
	}
	return units
}

func (r *reader) find(name string) (file, content string) {
	for _, dir := range paths.TunedDirs {
		file := path.Join(dir, name, "tuned.conf")
		if text, err := r.m.Files.Read(file); err == nil {
			return file, string(text)
		}
	}
	return "", ""
}

func (r *reader) add(l line, file string) {
	s := Setting{Name: l.key, File: file, Line: l.number, Computed: strings.Contains(l.value, "${")}
	value := strings.TrimLeft(l.value, "<>=")
	if value != l.value {
		s.Bound = l.value[:1]
	}
	s.Value = strings.Join(strings.Fields(strings.Trim(value, `"'`)), " ")
	if i, known := r.at[s.Name]; known {
		r.settings[i] = s
		return
	}
	r.at[s.Name] = len(r.settings)
	r.settings = append(r.settings, s)
}

// line is an assignment in a section.
type line struct {
	section, key, value string
	number              int
}

// parse reads the ini files of TuneD.
func parse(content string) []line {
	var out []line
	section, number := "", 0
	for text := range strings.Lines(content) {
		number++
		text = strings.TrimSpace(text)
		switch key, value, ok := strings.Cut(text, "="); {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '[' && strings.HasSuffix(text, "]"):
			section = strings.TrimSpace(text[1 : len(text)-1])
		case ok:
			out = append(out, line{section, strings.TrimSpace(key), strings.TrimSpace(value), number})
		}
	}
	return out
}
