// Package contention notices that somebody else keeps changing what we set, and repairs
// less and less often then: two programs that fight over a value do more harm than either
// value.
//
// It owns the count of foreign changes, the back-off and the words about it. It is pure:
// whoever asks says what time it is.
package contention
