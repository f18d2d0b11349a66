// Package disk gives tests an ext4 on a loop device whose power can be cut: from one
// moment to the next nothing more reaches it, and the next mount finds what did.
//
// It owns the guard: what is cut off is never anything but a disk that it made itself, in
// a mount namespace of the test's own.
package disk
