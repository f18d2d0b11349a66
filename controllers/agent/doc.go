// Package agent keeps one host as the cluster wants it.
//
// It owns the loop of one node. Whatever happens (a HostProfile, the Node or the own
// status changed, a value drifted, an interface appeared, time passed) rings one bell,
// and the loop does the same thing each time: decide what to follow, bring the host to
// it, say what came of it. It never waits for the API server: what was last accepted is
// enforced from disk until the cluster is heard, and goes on being enforced while it is
// not.
package agent
