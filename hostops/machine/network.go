package machine

import "context"

// Network describes the links of the host's network namespace.
type Network interface {
	// LinkIndex returns the interface index of a link. The kernel never gives an
	// index twice in a boot, so it tells two links of one name apart. A missing
	// link is fs.ErrNotExist.
	LinkIndex(name string) (int, error)
	// NewLinks tells the names of links that appear or are renamed from now on, until
	// ctx ends and the channel is closed. A name can come twice. Names that nobody
	// takes in time are left out: an empty name then says that there were some.
	NewLinks(ctx context.Context) (<-chan string, error)
}
