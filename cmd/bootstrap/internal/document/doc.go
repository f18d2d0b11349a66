// Package document owns what programs read: one versioned envelope that every command
// writes to its standard output with -o json or -o yaml, exactly once, whatever happens.
//
// It turns results into fields and never into sentences. Fields are added and never
// change their meaning within a version.
package document
