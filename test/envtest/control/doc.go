// Package control runs a real API server for tests and the demo: etcd and kube-apiserver
// as processes of this machine, on loopback, with the product's CRDs installed, and a
// kubectl to match.
//
// It owns those processes and their folder, and nothing else. It runs no kubelet, no
// scheduler and no controller: a Node is there when a test creates one, and nobody
// collects what belongs to a deleted one.
package control
