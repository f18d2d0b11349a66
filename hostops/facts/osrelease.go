package facts

import "strings"

// OS is what a distribution says of itself, with the defaults of os-release(5).
type OS struct {
	ID         string // "debian"; "linux" if it does not say
	IDLike     []string
	VersionID  string
	PrettyName string // "Debian GNU/Linux 12 (bookworm)"; "Linux" if it does not say
}

// ParseOSRelease reads os-release(5). It skips what it does not understand.
func ParseOSRelease(text string) OS {
	os := OS{ID: "linux", PrettyName: "Linux"}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		if value = unquote(value); value == "" {
			continue
		}
		switch key {
		case "ID":
			os.ID = value
		case "ID_LIKE":
			os.IDLike = strings.Fields(value)
		case "VERSION_ID":
			os.VersionID = value
		case "PRETTY_NAME":
			os.PrettyName = value
		}
	}
	return os
}

// unquote reads a value as a shell would, without any expansion. Control characters
// go: the result is printed.
func unquote(s string) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			c = s[i]
		case c == quote:
			quote = 0
			continue
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
			continue
		}
		if c >= ' ' && c != 0x7f {
			b.WriteByte(c)
		}
	}
	return strings.ToValidUTF8(strings.TrimSpace(b.String()), "")
}
