// Package wish turns what the cluster says into what this host shall follow next.
//
// It owns the rules by which a HostProfile begins to count, is held, and ends: that one
// which cannot be understood leaves its last good generation in force, and that one which
// seems to be gone is believed to be gone only on evidence. It is pure: it talks to no
// API server, touches no host and reads no clock.
package wish
