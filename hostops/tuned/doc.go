// Package tuned reads what TuneD is told to set: its active profiles, those that they
// include, and the kernel settings of them. It reads files and runs nothing.
package tuned
