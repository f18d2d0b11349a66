package v1alpha1

import (
	"fmt"
	"strings"
)

// wholeNameProblem says what is wrong with a name before it is taken apart, or nothing.
func wholeNameProblem(name string) string {
	switch {
	case name == "":
		return "a sysctl needs a name; write for example net.ipv4.ip_forward"
	case len(name) > MaxSysctlName:
		return fmt.Sprintf("a sysctl name has at most %d characters, not %d", MaxSysctlName, len(name))
	case name[0] == '-':
		// Readers of sysctl.d take a leading dash for "ignore errors".
		return "a sysctl name does not begin with a dash; to pass over a missing setting write ifMissing: Skip"
	case strings.Contains(name, "="):
		return "a sysctl name holds no '='; write the value under value"
	case slashFirst(name):
		return "the elements of a sysctl name are separated by dots here, not by slashes; " + dotFirstHint(name)
	}
	return ""
}

// slashFirst tells whether the first separator of a name is a slash, which makes it a
// path in the eyes of the readers of sysctl.d.
func slashFirst(name string) bool {
	i := strings.IndexAny(name, "./")
	return i >= 0 && name[i] == '/'
}

// dotFirstHint offers the dotted form of a slash-first name, if there is a valid one.
func dotFirstHint(name string) string {
	name = strings.TrimPrefix(name, "/proc/sys")
	dotted := strings.NewReplacer("/", ".", ".", "/").Replace(strings.TrimPrefix(name, "/"))
	if _, err := ParseSysctlName(dotted); err != nil {
		return "write for example net.ipv4.ip_forward"
	}
	return "write " + dotted
}

// elementProblem says what is wrong with an element that is not an interface, or nothing.
func elementProblem(element string) string {
	switch {
	case isPlain(element): // as most are
	case element == "":
		return "a sysctl name has no empty element; remove the surplus dot"
	case strings.ContainsAny(element, "*?["):
		return "a pattern is possible in the interface element only, as in net.ipv4.conf.lxc*.rp_filter; name the setting in full"
	case strings.Contains(element, "/"):
		return fmt.Sprintf("a slash stands for a dot inside the name of an interface, and %s is not at the place of one; write dots between the elements",
			shorten(element))
	case element != strings.ToLower(element):
		return fmt.Sprintf("a sysctl name is in lower case; write %s", shorten(strings.ToLower(element)))
	case !consistsOf(element, lowerDigits+"_-"):
		return fmt.Sprintf("an element of a sysctl name consists of a-z, 0-9, _ and -, and %q does not", shorten(element))
	}
	return ""
}

// isPlain tells whether an element is what nobody could object to.
func isPlain(element string) bool {
	for i := range len(element) {
		if c := element[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return element != ""
}

const (
	digits       = "0123456789"
	lowerDigits  = "abcdefghijklmnopqrstuvwxyz" + digits
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// consistsOf tells whether every character of text is one of letters.
func consistsOf(text, letters string) bool { return strings.Trim(text, letters) == "" }
