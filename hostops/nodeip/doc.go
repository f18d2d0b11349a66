// Package nodeip owns which address is that of the node: the rules by which it is
// detected, which source counts before which other, what is kept of it on the host, and
// the files through which kubelets learn it.
//
// The choice is pure. It looks at a snapshot of links, addresses and routes and at
// nothing else: no packet is sent, no name resolved, no service asked. The order in which
// the kernel lists things never matters, and where the rules leave two addresses, both
// are named and none is chosen. An address that was chosen once is kept until somebody
// moves the node on purpose.
package nodeip
