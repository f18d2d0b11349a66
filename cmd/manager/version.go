package main

import "runtime/debug"

// linked is set by the linker, with -X main.linked=v1.2.3.
var linked string

// version is what this program calls itself.
func version() string {
	if linked != "" {
		return linked
	}
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "unknown"
}
