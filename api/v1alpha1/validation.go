package v1alpha1

import (
	"fmt"
	"slices"
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// How many entries a profile may have.
const (
	MaxSysctls       = 256
	MaxKernelModules = 128
)

// Validate returns everything that is wrong with a profile, with the path of each field.
// It holds for a profile from a file and for one from the API, which may have been stored
// before a rule existed. It never changes the profile, and it looks at no host.
//
// The detail of each error is a message that MessageAndHint takes apart.
func Validate(profile *HostProfile) field.ErrorList {
	errs := validateName(profile, field.NewPath("metadata"))
	spec := field.NewPath("spec")
	errs = append(errs, validateSelector(&profile.Spec, spec.Child("nodeSelector"))...)
	errs = append(errs, validateSysctls(profile.Spec.Sysctls, spec.Child("sysctls"))...)
	errs = append(errs, validateModules(profile.Spec.KernelModules, spec.Child("kernelModules"))...)
	errs = append(errs, validateWord(spec.Child("swap"), profile.Spec.Swap)...)
	errs = append(errs, validateMounts(profile.Spec.Mounts, spec.Child("mounts"))...)
	errs = append(errs, validateDirectories(profile.Spec.Directories, spec.Child("directories"))...)
	errs = append(errs, validateWord(spec.Child("selinux"), profile.Spec.SELinux)...)
	errs = append(errs, validateFirewalld(profile.Spec.Firewalld, spec.Child("firewalld"))...)
	errs = append(errs, validateNodeIP(profile.Spec.NodeIP, spec.Child("nodeIP"))...)
	errs = append(errs, validateWord(spec.Child("mode"), profile.Spec.Mode)...)
	return append(errs, validateWord(spec.Child("driftPolicy"), profile.Spec.DriftPolicy)...)
}

// MessageAndHint takes the detail of an error of Validate apart: what is wrong, and what
// to do about it. The hint is empty when there is nothing to add.
func MessageAndHint(detail string) (message, hint string) {
	message, hint, _ = strings.Cut(detail, "; ")
	return message, hint
}

func validateName(profile *HostProfile, path *field.Path) field.ErrorList {
	if profile.Name == "" {
		return field.ErrorList{field.Required(path.Child("name"), "a profile needs a name; write for example name: site-workers")}
	}
	return apivalidation.ValidateObjectMeta(&profile.ObjectMeta, false, apivalidation.NameIsDNSSubdomain, path)
}

func validateSelector(spec *HostProfileSpec, path *field.Path) field.ErrorList {
	if spec.NodeSelector == nil {
		return field.ErrorList{field.Required(path, "a profile says which nodes it is for; write nodeSelector: {} for every node")}
	}
	return metav1validation.ValidateLabelSelector(spec.NodeSelector, metav1validation.LabelSelectorValidationOptions{}, path)
}

// validateWord checks a field that takes one of a few words, or is absent.
func validateWord[T interface {
	~string
	Words() []string
}](path *field.Path, word T) field.ErrorList {
	if word == "" || slices.Contains(word.Words(), string(word)) {
		return nil
	}
	err := field.NotSupported(path, word, word.Words())
	err.Detail = "must be " + OneOf(word.Words())
	return field.ErrorList{err}
}

// OneOf lists words the way people do: "Exact, AtLeast or AtMost".
func OneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func tooMany(path *field.Path, have, most int) field.ErrorList {
	if have <= most {
		return nil
	}
	err := field.TooMany(path, have, most)
	err.Detail = fmt.Sprintf("must have at most %d entries; split the profile", most)
	return field.ErrorList{err}
}

// duplicate says that an entry names what an earlier entry has named.
func duplicate(path *field.Path, name, detail string) field.ErrorList {
	err := field.Duplicate(path, name)
	err.Detail = detail
	return field.ErrorList{err}
}
