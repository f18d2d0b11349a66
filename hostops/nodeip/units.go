package nodeip

import "strings"

// ConfigArgs returns what the files of a unit, in the order in which systemd reads them,
// set KUBELET_CONFIG_ARGS to; false if they do not.
func ConfigArgs(files []string) (args string, found bool) {
	for _, content := range files {
		for _, line := range joined(content) {
			assignments, ok := strings.CutPrefix(line, "Environment=")
			if !ok {
				continue
			}
			for _, word := range words(assignments) {
				if value, ok := strings.CutPrefix(word, "KUBELET_CONFIG_ARGS="); ok {
					args, found = strings.ReplaceAll(value, "%%", "%"), true
				}
			}
		}
	}
	return args, found
}

// joined splits a unit into lines, those that end with a backslash taken with the next.
func joined(content string) []string {
	content = strings.ReplaceAll(content, "\\\n", " ")
	var out []string
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != ';' {
			out = append(out, line)
		}
	}
	return out
}

// words splits at blanks outside of quotes, as systemd and shells do. Quotes go, and a
// backslash keeps the character after it.
func words(line string) []string {
	var out []string
	var word strings.Builder
	var quote byte
	inside, escaped := false, false
	for i := range len(line) {
		c := line[i]
		switch {
		case escaped:
			word.WriteByte(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inside = true, true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, inside = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if inside {
				out = append(out, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteByte(c)
			inside = true
		}
	}
	if inside {
		out = append(out, word.String())
	}
	return out
}

// SetsConfigArgs reports whether a part of a unit, or a file of its environment, sets
// KUBELET_CONFIG_ARGS.
func SetsConfigArgs(content string) bool {
	for _, line := range joined(content) {
		line = strings.TrimPrefix(line, "Environment=")
		if strings.HasPrefix(strings.TrimLeft(line, `"'`), "KUBELET_CONFIG_ARGS=") {
			return true
		}
	}
	return false
}

// Flag returns the last value of a flag on a command line; empty if there is none.
func Flag(args []string, flag string) string {
	value := ""
	for i, a := range args {
		name, rest, assigned := strings.Cut(a, "=")
		if name != "--"+flag && name != "-"+flag {
			continue
		}
		switch {
		case assigned:
			value = rest
		case i+1 < len(args):
			value = args[i+1]
		}
	}
	return value
}

// FlagInText returns the last value of a flag in a file that sets arguments of a kubelet:
// /etc/default/kubelet, kubeadm-flags.env or a part of its unit.
func FlagInText(content, flag string) string {
	value := ""
	for _, line := range joined(content) {
		if _, text, ok := strings.Cut(line, "="); ok {
			var args []string
			for _, w := range words(text) {
				args = append(args, strings.Fields(assigned(w))...)
			}
			if v := Flag(args, flag); v != "" {
				value = v
			}
		}
	}
	return value
}

// assigned returns what a word assigns to a variable, or the word.
func assigned(word string) string {
	name, value, ok := strings.Cut(word, "=")
	if !ok || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return word
	}
	return value
}
