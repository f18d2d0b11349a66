package profile

import "github.com/hostprofile/hostprofile/api/v1alpha1"

// unfit returns what makes a profile one for a cluster only: there, somebody publishes
// what would change and goes on when the profile changes. A host that is given a file
// does what the file says, once.
func unfit(p *v1alpha1.HostProfile) InputErrors {
	var errs InputErrors
	if p.Spec.IsPlan() {
		errs = append(errs, unfitField(p, "spec.mode", string(p.Spec.Mode),
			"a plan is for a cluster; on a host, every profile that is given is applied",
			"remove mode, and see what would change with bootstrap plan"))
	}
	if p.Spec.Paused {
		errs = append(errs, paused(p, "spec.paused"))
	}
	if p.Annotations[v1alpha1.AnnotationPaused] == "true" {
		errs = append(errs, paused(p, "metadata.annotations["+v1alpha1.AnnotationPaused+"]"))
	}
	return errs
}

func paused(p *v1alpha1.HostProfile, field string) InputError {
	return unfitField(p, field, "true",
		"a paused profile is for a cluster; on a host, every profile that is given is applied",
		"remove it, or leave the host as it is and do not run bootstrap up")
}

func unfitField(p *v1alpha1.HostProfile, field, value, message, hint string) InputError {
	return InputError{Reason: ReasonRefused, Object: v1alpha1.Kind + "/" + p.Name, Field: field, BadValue: value, Message: message, Hint: hint}
}
