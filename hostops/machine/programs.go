package machine

// Programs installs the program that runs. Its file is too large to be passed around: it
// is told by a digest of its content.
type Programs interface {
	// Self returns where the program that runs is on the host, links resolved. One that
	// is not on the host, as in a container of its own, or was replaced since it was
	// started, is fs.ErrNotExist.
	Self() (path string, err error)
	// Digest returns the SHA-256 of a regular file, in hex. A file that stays as it is is
	// read once. It may be called by several goroutines at once.
	Digest(path string) (string, error)
	// CopySelf replaces or creates a regular file, owned by root, as a copy of the program
	// that runs. It fails as Files.Write does.
	CopySelf(path string, digest string) error
	// Place returns what becomes of a file in a folder, which need not be there yet.
	Place(dir string) (Place, error)
}

// ProgramMode is the mode of an installed program.
const ProgramMode = 0o755

// Place is a folder in which a program could be.
type Place struct {
	// Dir is the folder with all links resolved.
	Dir string
	// ReadOnly: its file system is mounted read-only. NoExec: nothing can be run from it.
	ReadOnly, NoExec bool
	// Safe: it and all folders above it belong to root, and nobody else may write there.
	Safe bool
}
