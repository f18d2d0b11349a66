package sysctl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Name is a sysctl in its dot-first spelling: elements are separated by dots, and a
// slash inside an element is a literal dot. A Name can be a pattern: "*" and "?" in
// the interface element.
type Name string

// hasInterfaces reports whether the children of a directory are network interfaces.
func hasInterfaces(dir string) bool {
	switch dir {
	case "net.ipv4.conf", "net.ipv4.neigh", "net.ipv6.conf", "net.ipv6.neigh", "net.mpls.conf":
		return true
	default:
		return false
	}
}

// The elements that stand where an interface does and are none.
const (
	allLinks    = "all"
	defaultLink = "default"
	loopback    = "lo"
)

// ParseName reads a name as a profile spells it. It refuses the slash-first spelling,
// which would give one key two names, and everything that is no path below /proc/sys.
func ParseName(s string) (Name, error) {
	n := Name(s)
	if n.plain() {
		return n, nil
	}
	if slashFirst(s) {
		if n, err := FromPath(s); err == nil {
			return "", fmt.Errorf("sysctl %q is written with slashes first: write %s", s, n)
		}
		return "", fmt.Errorf("sysctl %q is written with slashes first: write it with dots", s)
	}
	return n, n.explain()
}

// ParseFileName reads a name as the readers of sysctl.d do: the first of dot and slash
// is the separator, and several in a row are one, the other is literal.
func ParseFileName(s string) (Name, error) {
	if slashFirst(s) {
		return FromPath(squeeze(s, '/'))
	}
	n := Name(squeeze(s, '.'))
	return n, n.check()
}

// squeeze makes one separator of several in a row, as the kernel does for a path.
func squeeze(s string, separator byte) string {
	one := string(separator)
	for strings.Contains(s, one+one) {
		s = strings.ReplaceAll(s, one+one, one)
	}
	return s
}

// slashFirst reports whether the first separator of a name is a slash.
func slashFirst(s string) bool {
	i := strings.IndexByte(s, '/')
	return i >= 0 && strings.IndexByte(s[:i], '.') < 0
}

// FromPath returns the name of a path relative to /proc/sys.
func FromPath(path string) (Name, error) {
	n := Name(swap(strings.TrimPrefix(path, "/")))
	return n, n.check()
}

// Path returns the path relative to /proc/sys.
func (n Name) Path() string { return swap(string(n)) }

// swap exchanges dots and slashes.
func swap(s string) string {
	if strings.IndexByte(s, '.') < 0 && strings.IndexByte(s, '/') < 0 {
		return s
	}
	b := append(make([]byte, 0, 64), s...) // longer than most names are
	for i, c := range b {
		switch c {
		case '.':
			b[i] = '/'
		case '/':
			b[i] = '.'
		}
	}
	return string(b)
}

// check tells why a name is none. Names are checked at every step of a run, so that
// the one that is right takes the short way.
func (n Name) check() error {
	if n.plain() {
		return nil
	}
	return n.explain()
}

// plain reports whether a name has nothing but nested elements of usual characters.
func (n Name) plain() bool {
	dots, begins := 0, true
	for i := range len(n) {
		switch c := n[i]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || 'A' <= c && c <= 'Z':
			begins = false
		case c == '.':
			if begins {
				return false
			}
			dots, begins = dots+1, true
		default:
			return false
		}
	}
	return dots > 0 && !begins
}

func (n Name) explain() error {
	top, _, nested := strings.Cut(string(n), ".")
	if !nested {
		return fmt.Errorf("sysctl %q has no directory, as in kernel.pid_max", n)
	}
	if strings.Contains(top, "/") {
		return fmt.Errorf("sysctl %q: there is no such directory", n) // and it would read as slashes first
	}
	for e := range strings.SplitSeq(string(n), ".") {
		if err := checkElement(e); err != nil {
			return fmt.Errorf("sysctl %q: %w", n, err)
		}
	}
	if pattern := strings.IndexAny(string(n), "*?"); pattern >= 0 {
		if dir, _, _, ok := n.split(); !ok || pattern < len(dir) || strings.ContainsAny(n.attribute(), "*?") {
			return fmt.Errorf("sysctl %q: only an interface can be a pattern", n)
		}
	}
	return nil
}

// checkElement keeps a name inside /proc/sys and inside one line of a file.
func checkElement(e string) error {
	if e == "" {
		return errors.New("an element is empty")
	}
	if e == "/" || e == "//" {
		return errors.New("dots alone are no element")
	}
	for i := range len(e) {
		if c := e[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("=#;\"'\\[]{}", c) >= 0 {
			return fmt.Errorf("character %q is not part of a name", c)
		}
	}
	return nil
}

// split returns the directory, the interface element and the attribute of a key of one
// interface, of all or of default.
func (n Name) split() (dir, link, attribute string, ok bool) {
	last := strings.LastIndexByte(string(n), '.')
	third := strings.LastIndexByte(string(n[:max(last, 0)]), '.')
	if third < 0 || !hasInterfaces(string(n[:third])) {
		return "", "", "", false
	}
	return string(n[:third]), swap(string(n[third+1 : last])), string(n[last+1:]), true
}

// attribute returns the last element.
func (n Name) attribute() string { return string(n[strings.LastIndexByte(string(n), '.')+1:]) }

// Interface returns the interface that a key belongs to. Keys of all and default, and
// patterns, belong to none.
func (n Name) Interface() (link string, ok bool) {
	_, link, _, ok = n.split()
	if !ok || link == allLinks || link == defaultLink || n.IsPattern() {
		return "", false
	}
	return link, true
}

// IsPattern reports whether the name stands for the keys of several interfaces.
func (n Name) IsPattern() bool {
	return strings.IndexByte(string(n), '*') >= 0 || strings.IndexByte(string(n), '?') >= 0
}

// of returns the key of one interface in a directory.
func of(dir, link, attribute string) Name {
	return Name(dir + "." + swap(link) + "." + attribute)
}

// Key returns the item that a name belongs to. Names that are one variable, and the
// two of a pair of which only one can be in force, give the same key.
func Key(n Name) item.Key {
	n, _ = canonicalName(n)
	if p, ok := pairOf(n); ok {
		n = p.ratio
	}
	return item.NewKey(item.Sysctl, string(n))
}

// NameOf returns the name in a key of this kind.
func NameOf(k item.Key) (Name, error) { return ParseName(k.Name()) }
