// Package firewalld binds interfaces to zones of firewalld, in its runtime and in its
// permanent configuration, and takes them out again.
//
// What is missing is bound. What is bound to another zone is somebody's decision and
// stays there. firewalld is never reloaded, restarted, started or unmasked: a reload
// takes the rules of others away, those of the CNI among them. Packets are trusted by
// the interface that they come from and never by their source address, which anybody
// can write into a packet; a source in the record can only be released.
package firewalld
