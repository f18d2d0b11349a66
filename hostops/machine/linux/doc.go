// Package linux is the real host: the only package of this project that touches one.
//
// It owns the system calls, the programs that may be run on a host (programs.go
// lists all), and the translation of errno into the errors of package machine. It
// decides nothing: what is written, and whether, is its callers' business.
//
// A machine can be rooted at "/" or at a directory where the host's file system is
// mounted, such as "/host" in a pod. Files and Locks never leave that root, whatever
// the links in it say. /proc and /sys are always the process's own mounts: in a
// privileged pod with the host's namespaces they show the host.
package linux
