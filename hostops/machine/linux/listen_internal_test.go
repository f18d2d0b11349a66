package linux

import (
	"context"
	"net"
	"testing"

	"github.com/vishvananda/netlink"
)

// The library hands each message over before it looks whether its socket has ended: those who
// stop to hear have to take what it holds still.
func TestASubscriptionThatEndsLeavesNobodyBehind(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	links, addresses, routes := make(chan netlink.LinkUpdate), make(chan netlink.AddrUpdate), make(chan netlink.RouteUpdate)
	out := make(chan struct{}, 1)
	given := make(chan bool, 1)
	go func() { // a library that has a message when its socket ends
		defer close(given)
		defer close(addresses)
		<-ctx.Done()
		addresses <- netlink.AddrUpdate{LinkAddress: net.IPNet{}}
		given <- true
	}()
	close(links) // it has overflowed
	close(routes)
	hearChanges(ctx, end, out, links, addresses, routes)
	if !<-given {
		t.Error("the message was not taken")
	}
}
