// Package zonefile reads the files in which firewalld keeps its zones: what they bind,
// and whether two of them say the same. It never writes: firewalld and its own tool do.
package zonefile
