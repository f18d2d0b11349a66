// Package bench measures the program against its peers on the same machine, in the same
// run and in turns, since absolute times of a shared machine mean little. It is tests
// only; `make bench` runs it, and docs/performance.md tells what it found.
//
// A benchmark fails where a figure that is promised does not hold, unless it was given so
// few rounds that its times say nothing. What it counts, such as writes, must always hold.
package bench
