package sysctl

import "strings"

// setting is one line of a sysctl.d file.
type setting struct {
	line    int
	name    Name
	value   string
	glob    bool // the name is a pattern
	exclude bool // "-key" without a value: no pattern sets it
	lenient bool // a "-" in front: failure is no error
	spaced  bool // blanks follow the "-"
	rooted  bool // a slash in front
}

// parseFile reads a sysctl.d file as both of its readers do. Lines that neither of
// them could use are left out.
func parseFile(content string) []setting {
	var list []setting
	number := 0
	for text := range strings.Lines(content) {
		number++
		if s, ok := parseLine(strings.TrimSpace(text)); ok {
			s.line = number
			list = append(list, s)
		}
	}
	return list
}

func parseLine(text string) (s setting, ok bool) {
	if text == "" || text[0] == '#' || text[0] == ';' {
		return s, false
	}
	key, value, assigned := strings.Cut(text, "=")
	key, s.lenient = strings.CutPrefix(strings.TrimSpace(key), "-")
	s.exclude = !assigned && s.lenient
	if !assigned && !s.exclude {
		return s, false
	}
	trimmed := strings.TrimSpace(key)
	s.spaced, s.rooted = trimmed != key, strings.HasPrefix(trimmed, "/")
	name, err := ParseFileName(trimmed)
	s.glob = strings.ContainsAny(trimmed, "*?[")
	if err != nil && !s.glob {
		return s, false
	}
	s.name, s.value = name, strings.TrimSpace(value)
	return s, true
}
