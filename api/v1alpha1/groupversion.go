package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	// Kind is the kind of a host profile, as written in YAML.
	Kind = "HostProfile"
	// StatusKind is the kind of what one node reports.
	StatusKind = "HostProfileStatus"
	// CRDName is the name of the CustomResourceDefinition of HostProfile.
	CRDName = "hostprofiles.hostprofile.io"
)

var (
	// GroupVersion is the group and version of every type in this package.
	GroupVersion = schema.GroupVersion{Group: "hostprofile.io", Version: "v1alpha1"}

	// SchemeBuilder collects the types of this package.
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

	// AddToScheme makes the types of this package known to a scheme. Calling it twice on
	// one scheme is harmless.
	AddToScheme = SchemeBuilder.AddToScheme
)

// Resource returns the group-qualified form of a resource name, for error messages of
// API clients.
func Resource(name string) schema.GroupResource {
	return GroupVersion.WithResource(name).GroupResource()
}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&HostProfile{}, &HostProfileList{},
		&HostProfileStatus{}, &HostProfileStatusList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
