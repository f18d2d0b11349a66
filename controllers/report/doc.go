// Package report says in the words of the API what became of a host: the
// HostProfileStatus of its node and the conditions on the Node.
//
// It owns what counts as failing, the order of what is told, and the bounds of its size.
// It is pure. Reports hold no times but that of the last drift: when a condition changed
// is known only to whoever compares a report with the one before it (Carry).
package report
