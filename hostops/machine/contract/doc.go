// Package contract is the one suite that every machine must pass: each sentence that
// package machine promises, and each rule of the kernel that callers rely on, as a
// test. It runs on the fake always, and on the real kernel when root.
//
// Where the two differ, the kernel is right. The suite needs no program of the host
// and writes only sysctls of a network namespace.
package contract
