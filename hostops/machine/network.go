package machine

// Network describes the links of the host's network namespace.
type Network interface {
	// LinkIndex returns the interface index of a link. The kernel never gives an
	// index twice in a boot, so it tells two links of one name apart. A missing
	// link is fs.ErrNotExist.
	LinkIndex(name string) (int, error)
}
