// Package fake is a host in memory.
//
// It owns the rules that a kernel and a boot follow: sysctls that are tied to each
// other, keys that come and go with modules and interfaces, swap that must fit into
// memory, a /run that dies with the boot. It prints itself as text, and every call
// that changes it can fail, or be the last one before the process dies.
//
// It never touches the real host, starts no goroutine and reads no clock. Where it
// differs from a kernel, the kernel is right: package contract runs one suite on
// both.
//
// A host has two sides. The methods of Host are the world: the kernel, the admin,
// the power switch. They cannot fail by themselves, are not counted and never die.
// The machine.Machine of a Process is what the program under test sees.
package fake
