// Package apitest is the one table of what a HostProfile may say and what is refused. The
// schema of the CRD, Validate and the loader of YAML files are tested against it, so that
// the three never disagree about a profile without this table saying so.
//
// It holds text only: nothing here decides anything.
package apitest
