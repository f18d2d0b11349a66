package v1alpha1

import (
	"fmt"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Bounds of the section.
const (
	MaxDirectories   = 64
	MaxDirectoryPath = 256
	maxOwner         = 1<<32 - 2 // the last number means "nobody in particular" to the kernel
)

// ownRecord is where the project itself keeps what it needs to give things back.
const ownRecord = "/var/lib/hostprofile"

func validateDirectories(list []Directory, at *field.Path) field.ErrorList {
	errs := tooMany(at, len(list), MaxDirectories)
	seen := map[string]int{}
	for i, d := range list[:min(len(list), MaxDirectories)] {
		entry := at.Index(i)
		errs = append(errs, validateMode(d.Mode, entry.Child("mode"))...)
		errs = append(errs, validateOwner(d.Owner, entry.Child("owner"))...)
		if problem := directoryProblem(d.Path); problem != "" {
			errs = append(errs, invalidName(entry.Child("path"), d.Path, problem))
			continue
		}
		if first, again := seen[d.Path]; again {
			errs = append(errs, duplicate(entry.Child("path"), d.Path, fmt.Sprintf("is in spec.directories[%d] already; keep one of them", first))...)
			continue
		}
		seen[d.Path] = i
	}
	return errs
}

// directoryProblem says what is wrong with a path, or nothing.
func directoryProblem(p string) string {
	switch {
	case p == "":
		return "a directory needs a path; write for example /var/lib/kubelet"
	case len(p) > MaxDirectoryPath:
		return fmt.Sprintf("has at most %d characters, not %d", MaxDirectoryPath, len(p))
	case !consistsOf(p, lowerDigits+upperLetters+"/_.:@+=,-"):
		return "consists of letters, digits, and / _ . : @ + = , -"
	case p[0] == '/' && path.Clean(p) != p:
		return "must be clean, without . or .., double slashes or a slash at the end; write " + path.Clean(p)
	case p == ownRecord || strings.HasPrefix(p, ownRecord+"/"):
		return "is where the record of this program is; name another directory"
	}
	for _, root := range DirectoryRoots() {
		if strings.HasPrefix(p, root+"/") {
			return ""
		}
	}
	return "must be below " + OneOf(DirectoryRoots())
}

func validateMode(mode string, at *field.Path) field.ErrorList {
	switch {
	case mode == "":
		return nil
	case len(mode) != 4 || mode[0] != '0' || !consistsOf(mode, "01234567"):
		return field.ErrorList{field.Invalid(at, mode, `must be four octal digits, the first of them 0, such as "0755"`)}
	case strings.ContainsAny(mode[3:], "2367"):
		return field.ErrorList{field.Invalid(at, mode, "lets everybody write, so that anybody could replace what is in the directory; name an owner instead")}
	}
	return nil
}

func validateOwner(o *DirectoryOwner, at *field.Path) field.ErrorList {
	if o == nil {
		return nil
	}
	return append(validateID(o.UID, at.Child("uid")), validateID(o.GID, at.Child("gid"))...)
}

func validateID(id *int64, at *field.Path) field.ErrorList {
	switch {
	case id == nil:
		return field.ErrorList{field.Required(at, "an owner has a uid and a gid; write both, such as owner: {uid: 0, gid: 0}")}
	case *id < 0 || *id > maxOwner:
		return field.ErrorList{field.Invalid(at, *id, fmt.Sprintf("must be a number from 0 to %d", maxOwner))}
	}
	return nil
}
