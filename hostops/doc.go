// Package hostops prepares a Linux host for Kubernetes and gives it back: it is the
// front door to everything below this folder.
//
// Open looks at a host and writes nothing. Plan says what a set of profiles would
// change; Up makes it so, recording first what it changes; Status says what holds; Down
// gives back exactly what is recorded. bootstrap and the agent in the cluster both work
// through this package, so that one setting is never handled by two pieces of code.
package hostops
