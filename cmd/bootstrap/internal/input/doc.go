// Package input gathers what the user names on the command line: files, the standard
// input and built-in profiles, into the profiles that are meant for this host.
//
// It refuses before anything of a host is changed, and says where the mistake is.
package input
