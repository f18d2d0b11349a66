package v1alpha1

// SELinuxPolicy says what to do about SELinux on hosts where it is on. The empty value
// means that it is not managed.
// +kubebuilder:validation:Enum=Keep;Manage
type SELinuxPolicy string

const (
	// SELinuxKeep asks nothing of the policy and changes nothing in it.
	SELinuxKeep SELinuxPolicy = "Keep"
	// SELinuxManage sees to the labels of our files and asks for a policy that knows
	// containers.
	SELinuxManage SELinuxPolicy = "Manage"
)

// Words returns what the field may say.
func (SELinuxPolicy) Words() []string { return []string{string(SELinuxKeep), string(SELinuxManage)} }
