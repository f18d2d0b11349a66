package v1alpha1

import (
	"fmt"
	"strings"
)

// maxInterface is the longest name that the kernel gives to an interface (IFNAMSIZ less
// the final NUL).
const maxInterface = 15

// IsInterfacePattern tells whether an interface element is a pattern and not a name.
func IsInterfacePattern(element string) bool { return strings.ContainsAny(element, "*?") }

// MatchInterface tells whether a pattern covers an interface: * stands for any number of
// characters, ? for exactly one, everything else for itself. A name covers only itself.
func MatchInterface(pattern, name string) bool {
	// star and mark say where to go back to when the letters after a * do not fit:
	// linear in the pattern for each letter of the name, whatever the pattern.
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// interfaceProblem says what is wrong with an interface element, or nothing.
func interfaceProblem(element string) string {
	literals := strings.ReplaceAll(strings.ReplaceAll(element, "*", ""), "?", "")
	switch {
	case element == "":
		return "the interface element is empty; write all, default, the name of an interface or a pattern"
	case element == "." || element == "..":
		return "no interface is called " + element
	case strings.Contains(element, "+"):
		return "an interface element holds no '+'; write " + shorten(strings.ReplaceAll(element, "+", "*"))
	case !consistsOf(literals, lowerDigits+upperLetters+"_.:@-"):
		return fmt.Sprintf("an interface element consists of letters, digits, and . _ : @ -, and %q does not", shorten(element))
	case len(strings.ReplaceAll(element, "*", "")) > maxInterface:
		return fmt.Sprintf("the name of an interface has at most %d characters", maxInterface)
	case IsInterfacePattern(element):
		return patternProblem(element, literals)
	}
	return ""
}

// patternProblem says why a pattern is too wide.
func patternProblem(pattern, literals string) string {
	if literals == "" {
		return "a pattern needs at least one literal character; write for example lxc*"
	}
	if strings.Contains(pattern, "**") {
		return "two stars in a row mean no more than one; write one"
	}
	for _, reserved := range [][2]string{
		{"all", "stands for every interface"},
		{"default", "stands for every interface to come"},
		{"lo", "is the host's own"},
	} {
		if MatchInterface(pattern, reserved[0]) {
			return fmt.Sprintf("the pattern also matches %s, which %s; write a longer prefix, or the names in full", reserved[0], reserved[1])
		}
	}
	return ""
}
