package v1alpha1

import "k8s.io/apimachinery/pkg/util/validation/field"

func validateMounts(m *Mounts, path *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	errs := validateWord(path.Child("bpffs"), m.BPFFS)
	return append(errs, validateWord(path.Child("rootPropagation"), m.RootPropagation)...)
}
