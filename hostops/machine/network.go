package machine

import "context"

// Network describes the links of the host's network namespace, and what filters packets in
// it.
type Network interface {
	// LinkIndex returns the interface index of a link. The kernel never gives an
	// index twice in a boot, so it tells two links of one name apart. A missing
	// link is fs.ErrNotExist.
	LinkIndex(name string) (int, error)
	// NewLinks tells the names of links that appear or are renamed from now on, until
	// ctx ends and the channel is closed. A name can come twice. Names that nobody
	// takes in time are left out: an empty name then says that there were some.
	NewLinks(ctx context.Context) (<-chan string, error)
	// Snapshot returns all links, addresses and default routes. It asks the kernel only:
	// no packet is sent. What changes meanwhile is there as it was before or after.
	Snapshot(ctx context.Context) (Snapshot, error)
	// Changes tells that a link, an address or a route may have changed, until ctx ends
	// and the channel is closed. Changes that come together are told once.
	Changes(ctx context.Context) (<-chan struct{}, error)
	// Chains returns all chains of rules that packets pass, in no particular order. A kernel
	// without tables has none. It only looks: no module is loaded and no table made by it.
	// Without the right to look it is fs.ErrPermission.
	Chains(ctx context.Context) ([]Chain, error)
}
