package v1alpha1

// AnnotationPaused on a HostProfile means the same as spec.paused when it is "true". It is
// for clusters in which a repository owns the spec, and would set spec.paused back.
const AnnotationPaused = "hostprofile.io/paused"

// IsPaused reports whether the profile keeps what it has applied and changes nothing.
func (p *HostProfile) IsPaused() bool {
	return p.Spec.Paused || p.Annotations[AnnotationPaused] == "true"
}
