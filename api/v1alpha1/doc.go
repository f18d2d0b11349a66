// Package v1alpha1 is the public contract of hostprofile.io: what people write in a
// HostProfile, what is refused and why, and the words in which the product answers.
//
// The same types are read from YAML files by bootstrap, on hosts that have never seen an
// API server, and from the API by the manager. The package therefore knows nothing about
// hosts: it never opens a file, and it imports only the standard library and apimachinery.
//
// Changes within this version only add. A field enters with the work that makes it do
// something: there is no field that does nothing.
//
// +groupName=hostprofile.io
// +kubebuilder:object:generate=true
package v1alpha1
