// Package layout puts text in columns that fit a terminal, and in colour where that is
// wanted.
//
// It knows nothing of hosts and profiles, and writes nowhere: it returns text. What comes
// from a host or a file is made harmless for a terminal on its way in.
package layout
