// Package sysctl owns kernel parameters: their names, canonical values, what the
// kernel ties together, the boot file that sets them, and the reading of other
// people's sysctl.d files.
//
// An item is named by the dot-first spelling of its key, in which a slash stands for
// a dot inside an element: "net.ipv4.conf.eth0/100.rp_filter". Names that are one
// variable in the kernel are one item.
//
// The package never runs another program's sysctl reader and never writes a file:
// the boot file is rendered here and written by the file operation.
package sysctl
