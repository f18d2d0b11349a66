// Package command is the command tree of bootstrap: it reads the command line, asks
// package hostops, and prints the answer.
//
// It holds no state between runs. Everything that it uses of the process it runs in, from
// the arguments to the machine, comes in through an Environment.
package command
