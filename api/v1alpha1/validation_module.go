package v1alpha1

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// MaxModuleName is the length of a module name that the kernel can hold (MODULE_NAME_LEN
// of a 64-bit kernel, less the final NUL).
const MaxModuleName = 55

func validateModules(modules []KernelModule, path *field.Path) field.ErrorList {
	errs := tooMany(path, len(modules), MaxKernelModules)
	seen := map[string]int{}
	for i, module := range modules[:min(len(modules), MaxKernelModules)] {
		item := path.Index(i)
		errs = append(errs, validateWord(item.Child("ifMissing"), module.IfMissing)...)
		if problem := moduleNameProblem(module.Name); problem != "" {
			errs = append(errs, invalidName(item.Child("name"), module.Name, problem))
			continue
		}
		canonical := CanonicalModuleName(module.Name)
		if first, again := seen[canonical]; again {
			errs = append(errs, duplicate(item.Child("name"), module.Name,
				fmt.Sprintf("is in spec.kernelModules[%d] already; keep one of them", first))...)
			continue
		}
		seen[canonical] = i
	}
	return errs
}

// CanonicalModuleName returns the one spelling of a module name, with underscores: that
// is how /proc/modules prints it, and modprobe takes both.
func CanonicalModuleName(name string) string { return strings.ReplaceAll(name, "-", "_") }

func moduleNameProblem(name string) string {
	stem, _, ending := strings.Cut(name, ".ko")
	switch {
	case name == "":
		return "a kernel module needs a name; write for example br_netfilter"
	case strings.ContainsAny(name, " \t="):
		return "a kernel module is named without parameters; set those in a file below /etc/modprobe.d"
	case strings.Contains(name, "/"):
		return "a kernel module is named without a path; write for example br_netfilter"
	case ending:
		return "a kernel module is named without an ending; write " + shorten(stem)
	case name[0] == '-' || !consistsOf(name, lowerDigits+upperLetters+"_-"):
		return "the name of a kernel module consists of letters, digits, _ and -, and does not begin with a dash"
	case len(name) > MaxModuleName:
		return fmt.Sprintf("the name of a kernel module has at most %d characters, not %d", MaxModuleName, len(name))
	}
	return ""
}
