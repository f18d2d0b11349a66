// Package ledger stores what we own on a host and what was there before us.
//
// Two books share one format: the durable one under /var/lib for what we also
// persist, the volatile one under /run, never synced, for what dies with the boot.
// A durable book that is lost, damaged or newer than this program is an error and
// never "nothing owned"; a volatile one that cannot be read is moved aside and taken
// as empty. Fields and kinds that this version does not know are kept as they are.
package ledger
