package filecontext

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of file that a label is for, as file_contexts spells it: "-d" is 'd'.
type Kind byte

// The kinds that are asked for.
const (
	Regular   Kind = '-'
	Directory Kind = 'd'
)

const anyKind Kind = 0

// Files are the texts that make up the labels of a policy; a missing file is empty.
type Files struct {
	Main     string // file_contexts
	Homes    string // file_contexts.homedirs
	Local    string // file_contexts.local: what semanage fcontext -a added
	Subs     string // file_contexts.subs: what semanage fcontext -e added
	SubsDist string // file_contexts.subs_dist
}

// Contexts are the labels that a policy names for paths.
type Contexts struct {
	specs          []spec // the last that matches wins
	subs, subsDist []sub
}

// spec is one line of file_contexts.
type spec struct {
	// stem is the first element of the paths meant, "/etc"; empty if the expression
	// leaves it open. It is compared as text, and the expression begins after it.
	stem string
	rest string
	// prefix is plain text that every path meant begins with: it spares compiling most
	// expressions, and keeps one that cannot be read from standing in everybody's way.
	prefix  string
	kind    Kind
	context string
	local   bool
	line    int
}

// Parse reads the labels. Lines that are none are left out, as libselinux does.
func Parse(f Files) *Contexts {
	var all []spec
	all = appendSpecs(all, f.Main, false)
	all = appendSpecs(all, f.Homes, false)
	all = appendSpecs(all, f.Local, true)
	c := &Contexts{subs: parseSubs(f.Subs), subsDist: parseSubs(f.SubsDist)}
	// What names one path comes after all that names several, and so wins.
	for _, exact := range []bool{false, true} {
		for i := range all {
			if isExact(all[i].stem+all[i].rest) == exact {
				c.specs = append(c.specs, all[i])
			}
		}
	}
	return c
}

func appendSpecs(all []spec, text string, local bool) []spec {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if s, ok := parseSpec(line); ok {
			s.local, s.line = local, n
			all = append(all, s)
		}
	}
	return all
}

// parseSpec reads "REGEX [-KIND] CONTEXT".
func parseSpec(line string) (spec, bool) {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 || words[0][0] == '#' {
		return spec{}, false
	}
	s := spec{context: words[len(words)-1]}
	if len(words) == 3 {
		if len(words[1]) != 2 || words[1][0] != '-' || !strings.ContainsRune("bcdlps-", rune(words[1][1])) {
			return spec{}, false
		}
		s.kind = Kind(words[1][1])
	}
	s.stem, s.rest = cutStem(words[0])
	s.prefix = plainPrefix(words[0])
	return s, true
}

// plainPrefix returns the text with which all that an expression matches begins.
func plainPrefix(regex string) string {
	if strings.ContainsRune(regex, '|') {
		return "" // any of several may begin it
	}
	var b []byte
	for i := 0; i < len(regex); i++ {
		c := regex[i]
		switch {
		case c == '\\' && i+1 < len(regex) && strings.IndexByte(meta+"]})\\-/", regex[i+1]) >= 0:
			i++
			b = append(b, regex[i])
		case strings.IndexByte("?*{", c) >= 0: // the character before may be missing
			return string(b[:max(len(b)-1, 0)])
		case strings.IndexByte(meta+"\\", c) >= 0, c >= utf8.RuneSelf:
			return string(b)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// meta are the characters with a meaning of their own.
const meta = ".^$?*+|[({"

// cutStem cuts off the first element of an expression, if it is plain text.
func cutStem(regex string) (stem, rest string) {
	end := strings.IndexByte(regex[1:], '/') + 1
	if end == 0 || strings.ContainsAny(regex[:end], meta) {
		return "", regex
	}
	return regex[:end], regex[end:]
}

// isExact reports whether an expression names one path.
func isExact(regex string) bool {
	for i := 0; i < len(regex); i++ {
		if regex[i] == '\\' {
			i++
		} else if strings.IndexByte(meta, regex[i]) >= 0 {
			return false
		}
	}
	return true
}

// none is a label that says: leave it.
const none = "<<none>>"

// Lookup returns the label for a clean absolute path, empty if the policy names none.
func (c *Contexts) Lookup(path string, kind Kind) (string, error) {
	path = c.substitute(path)
	stem := path
	if end := strings.IndexByte(path[1:], '/') + 1; end > 0 {
		stem = path[:end]
	}
	for i := len(c.specs) - 1; i >= 0; i-- {
		s := &c.specs[i]
		if s.kind != anyKind && s.kind != kind || s.stem != "" && s.stem != stem || !strings.HasPrefix(path, s.prefix) {
			continue
		}
		match, err := s.matches(path[len(s.stem):])
		if err != nil {
			return "", err
		}
		if match && s.context == none {
			return "", nil
		}
		if match {
			return s.context, nil
		}
	}
	return "", nil
}

// matches holds a path, without its stem, against the expression. What the expression
// leaves open may also be a newline.
func (s *spec) matches(rest string) (bool, error) {
	re, err := regexp.Compile("(?s)^" + s.rest + "$")
	if err != nil {
		return false, fmt.Errorf("the policy's file context %s%s, line %d, cannot be read: %w", s.stem, s.rest, s.line, err)
	}
	return re.MatchString(rest), nil
}

// Local returns the label that the admin's own file contexts name for exactly this
// expression and all kinds of files, empty if none.
func (c *Contexts) Local(regex string) string {
	for i := len(c.specs) - 1; i >= 0; i-- {
		if s := &c.specs[i]; s.local && s.kind == anyKind && s.stem+s.rest == regex {
			return s.context
		}
	}
	return ""
}
