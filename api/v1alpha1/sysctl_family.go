package v1alpha1

import "strings"

// family is a set of sysctl names: elements, of which * stands for any one, a * at the end
// of an element for the rest of it, and a final ** for one or more elements.
type family []string

func names(pattern string) family { return strings.Split(pattern, ".") }

// cover tells whether a name belongs to the family.
func (f family) cover(name SysctlName) bool {
	if len(f) != len(name.Elements) && f[len(f)-1] != "**" {
		return false
	}
	for i, element := range name.Elements {
		switch {
		case i >= len(f):
			return false
		case f[i] == "**":
			return true
		case !covers(f[i], element):
			return false
		}
	}
	return len(name.Elements) == len(f)
}

func covers(pattern, element string) bool {
	stem, open := strings.CutSuffix(pattern, "*")
	if open {
		return strings.HasPrefix(element, stem)
	}
	return pattern == element
}
