// Package contention notices that somebody else keeps changing what we set, and repairs
// less and less often then: two programs that fight over a value do more harm than either
// value.
//
// It owns the count of foreign changes, the back-off and the words about it. It is pure:
// whoever asks says what time it is.
//
// What it knows dies with its process: one that starts anew repairs at once, and takes the
// other for one who fights after three more changes. That is three writes more than
// without a restart, and nothing to keep on the host for.
package contention
