package machine

// Mounts shows and changes the mounts of the host's first process, whatever mount
// namespace the caller is in: what is mounted elsewhere vanishes with who did it. Nothing
// is ever unmounted.
type Mounts interface {
	// MountAt describes the mount that a folder is on. A missing folder is
	// fs.ErrNotExist; a path that is a link or no folder is ErrNotRegular.
	MountAt(path string) (Mount, error)
	// MountBPF mounts a BPF file system on a folder and makes it shared. On a folder
	// that has entries, or on which something is mounted, nothing is mounted, and the
	// error matches fs.ErrExist. A kernel without BPF file systems is fs.ErrNotExist.
	MountBPF(path string) error
	// Share makes the mount on a folder shared, and with deep every mount below it. On
	// a folder on which nothing is mounted it is ErrInvalid.
	Share(path string, deep bool) error
}

// Mount is what the kernel says of one mount, and of the folder that was asked for.
type Mount struct {
	// Filesystem is its type, as /proc/filesystems spells it: "bpf", "sysfs".
	Filesystem string
	// Own: it is mounted on the folder itself, not above it.
	Own bool
	// Empty: the folder has no entries.
	Empty bool
	// Shared: mounts made below it show in its peers, and theirs in it. Slave: theirs
	// show in it. It may be both; one that is neither is private.
	Shared, Slave bool
}
