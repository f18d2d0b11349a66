// Package profile turns what people write into what the engine works on: it loads
// HostProfiles from YAML files and selects those that are meant for this host.
//
// It owns the way from text to api types: every mistake in a file is found in one pass
// and named with file, line, column and field, before anything of a host is looked at.
// It must never read or write the host, and it talks to no cluster.
package profile
