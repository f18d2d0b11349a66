// Package mount owns two things that container runtimes and Cilium expect of a host's
// mounts and that only some inits see to: the BPF file system, and the propagation of the
// root mount.
//
// Both are looked at and made where the host's first process is. What the kernel says of
// the mount itself decides, not fstab and not a path that exists. Nothing is ever mounted
// on top of something else, and nothing is undone: what runs on the host holds on to it,
// and the next boot begins anew.
package mount
