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
	out := make(chan struct{}, 1)
	listen := changeListener(out)
	hear, err := listen(ctx)
	if err != nil {
		return nil, failed("listen for changes", "netlink", err)
	}
	go func() {
		defer close(out)
		listen.keep(ctx, hear, func() { ring(out) })
	}()
	return out, nil
}

func changeListener(out chan<- struct{}) listener {
	return func(ctx context.Context) (hear func(), err error) {
		ctx, end := context.WithCancel(ctx)
		links := make(chan netlink.LinkUpdate, changeBacklog)
		addresses := make(chan netlink.AddrUpdate, changeBacklog)
		routes := make(chan netlink.RouteUpdate, changeBacklog)
		for _, subscribe := range []func() error{
			func() error { return netlink.LinkSubscribe(links, ctx.Done()) },
			func() error { return netlink.AddrSubscribe(addresses, ctx.Done()) },
			func() error { return netlink.RouteSubscribe(routes, ctx.Done()) },
		} {
			if err := subscribe(); err != nil {
				end()
				return nil, err
			}
		}
		return func() { hearChanges(ctx, end, out, links, addresses, routes) }, nil
	}
}

// hearChanges rings out for every message until ctx, or one of the subscriptions, ends, and
// ends the others. The library closes a channel whose socket has ended, once what it holds
// was taken.
func hearChanges(ctx context.Context, end func(), out chan<- struct{},
	links <-chan netlink.LinkUpdate, addresses <-chan netlink.AddrUpdate, routes <-chan netlink.RouteUpdate,
) {
	merge(ctx, out, links, addresses, routes)
	end()
	drain(links)
	drain(addresses)
	drain(routes)
}

func drain[T any](c <-chan T) {
	for range c {
		continue
	}
}

func merge(ctx context.Context, out chan<- struct{},
	links <-chan netlink.LinkUpdate, addresses <-chan netlink.AddrUpdate, routes <-chan netlink.RouteUpdate,
) {
	for open := true; open; {
		select {
		case <-ctx.Done():
			return
		case _, open = <-links:
		case _, open = <-addresses:
		case _, open = <-routes:
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
