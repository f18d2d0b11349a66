// Package facts reads what kind of host this is, once, to be passed on as data.
//
// It owns the parsers of what a kernel and a distribution say of themselves. It
// decides nothing, changes nothing, and a fact that cannot be made out is a warning:
// the one that every run needs is the boot id.
package facts
