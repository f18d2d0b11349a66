// Package trace runs a program and decides at each of its system calls that changes the
// host what becomes of it: it is made, it fails with an error, or it is the last one and
// the program is killed before it.
//
// The calls of all threads and children are one sequence, in the order in which they
// began. That is what strace cannot give: it counts per thread, and a Go program moves
// between threads as it likes. The package owns the list of what changes a host, and a
// call that it does not know ends the program: the list cannot grow old unseen.
package trace
