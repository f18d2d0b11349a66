package v1alpha1

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func validateFirewalld(f *Firewalld, path *field.Path) field.ErrorList {
	if f == nil {
		return nil
	}
	errs := validateInterfaces(f.TrustedInterfaces, path.Child("trustedInterfaces"))
	return append(errs, validateInterfaces(f.UntrustedInterfaces, path.Child("untrustedInterfaces"))...)
}

func validateInterfaces(names []InterfaceName, path *field.Path) field.ErrorList {
	errs := tooMany(path, len(names), MaxInterfaces)
	seen := map[InterfaceName]bool{}
	for i, name := range names[:min(len(names), MaxInterfaces)] {
		if problem := boundInterfaceProblem(string(name)); problem != "" {
			errs = append(errs, invalidName(path.Index(i), string(name), problem))
			continue
		}
		if seen[name] {
			errs = append(errs, duplicate(path.Index(i), string(name), "is in the list already; keep one of them")...)
		}
		seen[name] = true
	}
	return errs
}

// boundInterfaceProblem says what is wrong with the name of an interface that is to be
// bound to a zone, or nothing.
func boundInterfaceProblem(name string) string {
	literal := strings.TrimRight(name, "+*")
	switch {
	case name == "":
		return "an interface needs a name; write for example cilium_host"
	case strings.Contains(name, "/") || strings.Count(name, ":") > 1 || isAddress(name):
		return "this is an address, and whoever can write a packet can write it as its source; name the interface that the packets come from"
	case literal == "":
		return "a wildcard begins with part of a name; write for example lxc+"
	case meansLoopback(name, literal), name == ".", name == "..":
		return "lo is the host's own, and is always let through; name the interfaces of the CNI"
	case len(name)-len(literal) > 1 || !consistsOf(literal, lowerDigits+upperLetters+"_.:@-"):
		return "an interface is named by letters, digits, and . _ : @ -, with + or * at the end for a wildcard"
	case len(name) > maxInterface:
		return fmt.Sprintf("the name of an interface has at most %d characters", maxInterface)
	}
	return ""
}

// loopback is the interface of every host.
const loopback = "lo"

// meansLoopback reports whether a name, or a wildcard with the given literal beginning,
// stands for the loopback interface.
func meansLoopback(name, literal string) bool {
	return name == loopback || name != literal && strings.HasPrefix(loopback, literal)
}
