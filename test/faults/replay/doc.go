// Package replay records what a file system does to its disk, and makes of it every disk
// that a power cut may have left.
//
// The disk is a file that a process of the test's own serves with FUSE, with a loop device
// over it: each write and each flush of the file system reaches that process in the order in
// which it was made, and is logged before it is answered. The process is another one than
// the test, so that it can be killed while the test waits for the disk: the kernel then
// fails what is waited for, and lets go of mount and loop device.
//
// The package owns the rule of what a disk may do: what was written before a flush that was
// answered stays; of what was written since, any blocks may be there and any not.
package replay
