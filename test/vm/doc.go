// Package vm holds the stories that need a kernel of their own: modules, swap, every
// sysctl, reboots, processes killed at any moment and the power cut. It is tests only.
//
// Each test boots one virtual machine and tells its stories on it one after the other.
package vm
