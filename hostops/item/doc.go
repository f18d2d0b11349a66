// Package item is the vocabulary of the project and its pure logic.
//
// Every setting of a host is an item: a Key, a canonical text State, and at most
// one ledger Entry that says what was there before us. Plan compares what is
// wanted, what was found and what is owned, and answers with one Change. Ahead and
// Settle say which entry the ledger holds before and after that change.
//
// The package owns the words and the decisions. It never touches a host, reads no
// clock and imports nothing beyond the standard library.
package item
