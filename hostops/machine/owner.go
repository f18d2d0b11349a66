package machine

// Owner is what the Sys method of every fs.FileInfo from Files returns: who owns
// the file, and how many names it has.
type Owner struct {
	UID, GID uint32
	Links    uint64
}
