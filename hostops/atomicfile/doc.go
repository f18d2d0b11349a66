// Package atomicfile replaces files so that a reader, a crash and a power cut each
// find the old content or the new one, whole.
//
// It owns the order of the system calls that this takes and what each failure means.
// It works in one open directory and never follows a link. It does not make
// directories, decides no content, and never replaces what is not a plain file of
// one name.
//
// The order of a durable write, all through the directory's handle:
//
//	create temp (hidden, random, exclusive) → label → owner → mode → content →
//	mark → fsync → close → rename → fsync directory → unmark
//
// The mark is the oldest modification time there is. It says that the rename may not
// have reached the disk: a process that dies before the directory's fsync leaves a
// file that is right to every reader, and the next write of the same content, by any
// process, writes it again instead of trusting it. A file without the mark is durable,
// whoever wrote it.
package atomicfile
