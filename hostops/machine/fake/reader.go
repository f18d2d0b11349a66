package fake

import (
	"path"
	"slices"
	"strings"
)

// Reader says which files of sysctl.d the host's boot process reads, by base name.
// A nil Reader is an init that reads none.
type Reader func(base string) bool

// ReadAll is a distribution's usual boot process.
func ReadAll(string) bool { return true }

// ReadAllBut returns the Reader of a boot process that does not see one file, such
// as one that runs before its file system is mounted.
func ReadAllBut(base string) Reader { return func(b string) bool { return b != base } }

// SetReader says what the next boots, and the next new interfaces, read.
func (h *Host) SetReader(r Reader) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reader = r
}

// Reread applies every line of sysctl.d now, as a restart of systemd-sysctl does.
func (h *Host) Reread() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.readAll()
}

// line is one setting of sysctl.d.
type line struct {
	key, value string // key with slashes; it may be a pattern
	pattern    bool
}

func (h *Host) readAll() { h.apply("") }

// readFor applies the lines for one interface, as udev does when it appears.
func (h *Host) readFor(link string) {
	for _, family := range families {
		h.apply(family + link + "/")
	}
}

// apply writes every setting below prefix: keys first named last win, and a key that
// is named anywhere is never set by a pattern.
func (h *Host) apply(prefix string) {
	if h.reader == nil {
		return
	}
	lines := h.lines()
	for _, l := range lines {
		if !l.pattern {
			h.boundWrite(prefix, l.key, l.value)
			continue
		}
		for _, key := range h.sysctls.matching(l.key) {
			if !named(lines, key) {
				h.boundWrite(prefix, key, l.value)
			}
		}
	}
}

func (h *Host) boundWrite(prefix, key, value string) {
	if strings.HasPrefix(key, prefix) && value != "" {
		_ = h.store(key, value)
	}
}

func named(lines []line, key string) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return !l.pattern && l.key == key })
}

// matching returns the keys that a pattern names at present.
func (s *sysctls) matching(pattern string) []string {
	var keys []string
	for key, i := range s.index {
		if ok, _ := path.Match(pattern, key); ok && !s.cells[i].gone {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// lines are the settings of all files in the order of systemd-sysctl: a later line for
// a key drops an earlier one that says otherwise.
func (h *Host) lines() []line {
	var lines []line
	h.eachFile([]string{"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d"}, func(name, body string) {
		if !h.reader(name) {
			return
		}
		for text := range strings.Lines(body) {
			l, ok := parseLine(text)
			if !ok {
				continue
			}
			if slices.Contains(lines, l) {
				continue
			}
			lines = slices.DeleteFunc(lines, func(old line) bool { return old.key == l.key })
			lines = append(lines, l)
		}
	})
	return lines
}

func parseLine(s string) (line, bool) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] == '#' || s[0] == ';' {
		return line{}, false
	}
	key, value, found := strings.Cut(s, "=")
	key = strings.TrimSpace(key)
	bare := strings.TrimPrefix(key, "-")
	if bare == "" || (!found && bare == key) {
		return line{}, false
	}
	key = slashes(strings.TrimSpace(bare))
	return line{key, strings.TrimSpace(value), strings.ContainsAny(key, "*?[")}, true
}

// slashes spells a key as a path: the first dot or slash says which one separates.
func slashes(key string) string {
	if i := strings.IndexAny(key, "./"); i < 0 || key[i] == '/' {
		return key
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '.':
			return '/'
		case '/':
			return '.'
		}
		return r
	}, key)
}
