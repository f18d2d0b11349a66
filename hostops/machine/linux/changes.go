package linux

import (
	"context"

	"github.com/vishvananda/netlink"
)

// changeBacklog is how many messages wait while the last ones are looked at.
const changeBacklog = 64

// Changes listens to the kernel's messages about links, addresses and routes. A socket
// that overflows has missed something, which is told as a change.
func (n *network) Changes(ctx context.Context) (<-chan struct{}, error) {
	ctx, cancel := context.WithCancel(ctx)
	links := make(chan netlink.LinkUpdate, changeBacklog)
	addresses := make(chan netlink.AddrUpdate, changeBacklog)
	routes := make(chan netlink.RouteUpdate, changeBacklog)
	changed := make(chan struct{}, 1)
	missed := func(error) { ring(changed) }
	for _, subscribe := range []func() error{
		func() error {
			return netlink.LinkSubscribeWithOptions(links, ctx.Done(), netlink.LinkSubscribeOptions{ErrorCallback: missed})
		},
		func() error {
			return netlink.AddrSubscribeWithOptions(addresses, ctx.Done(), netlink.AddrSubscribeOptions{ErrorCallback: missed})
		},
		func() error {
			return netlink.RouteSubscribeWithOptions(routes, ctx.Done(), netlink.RouteSubscribeOptions{ErrorCallback: missed})
		},
	} {
		if err := subscribe(); err != nil {
			cancel()
			return nil, failed("listen for changes", "netlink", err)
		}
	}
	out := make(chan struct{}, 1)
	go func() {
		defer close(out)
		defer cancel()
		merge(ctx, out, changed, links, addresses, routes)
	}()
	return out, nil
}

// merge rings out for every message until ctx ends. The library closes a channel whose
// socket has ended.
func merge(ctx context.Context, out chan<- struct{}, missed <-chan struct{},
	links <-chan netlink.LinkUpdate, addresses <-chan netlink.AddrUpdate, routes <-chan netlink.RouteUpdate,
) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-missed:
		case _, ok := <-links:
			if !ok {
				links = nil
			}
		case _, ok := <-addresses:
			if !ok {
				addresses = nil
			}
		case _, ok := <-routes:
			if !ok {
				routes = nil
			}
		}
		ring(out)
	}
}

// ring never blocks: a full channel already says that something changed.
func ring(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
