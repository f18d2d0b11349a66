// Package hostname decides by which name a host can be a node: pure rules over what the
// kernel says.
package hostname
