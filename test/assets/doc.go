// Package assets builds the real Kubernetes programs that tests run against:
// etcd, kube-apiserver, kubectl and, on demand, kube-controller-manager,
// kube-scheduler and kubelet.
//
// It owns their cache, hostprofile/controlplane below the user's cache folder.
// What is built, and in which versions, is the nested module test/controlplane;
// the go command and a module proxy are all that a build needs.
//
// It must never write elsewhere, start any of the programs, or be imported by
// anything but tests and hack/controlplane.
package assets
