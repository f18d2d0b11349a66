// Package exit owns how the program ends: the exit codes, which are part of its
// contract, and which error ends in which code.
//
// It prints nothing and decides nothing about a host.
package exit
