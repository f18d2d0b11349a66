package linux_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// overflow makes a netlink socket of this process overflow, and returns when it has been
// given up: with the smallest buffer that there is, two messages at once are too many.
func overflow(t *testing.T) {
	t.Helper()
	before := netlinkSockets(t)
	for fd := range before {
		must(t, unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 1))
	}
	for i := range 1000 {
		addVeth(t, fmt.Sprintf("many%d", i))
		now := netlinkSockets(t)
		for fd, socket := range before {
			if now[fd] != socket {
				return
			}
		}
	}
	t.Fatalf("of %d sockets none was given up", len(before))
}

// netlinkSockets are the netlink sockets of this process: what each handle is of.
func netlinkSockets(t *testing.T) map[int]string {
	t.Helper()
	sockets := map[int]string{}
	for number, target := range handles(t) {
		fd, err := strconv.Atoi(number)
		must(t, err)
		if domain, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN); err == nil && domain == unix.AF_NETLINK {
			sockets[fd] = target
		}
	}
	return sockets
}

func addVeth(t *testing.T, name string) {
	t.Helper()
	link := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: name}, PeerName: name + "p"}
	must(t, netlink.LinkAdd(link))
}

func TestLinksAreToldAfterTheSocketHasOverflowed(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	names, err := m.Network.NewLinks(ctx)
	must(t, err)
	names = drained(names)
	overflow(t)
	awaitName(t, names, "") // something was missed
	addVeth(t, "after0")
	awaitName(t, names, "after0")
	cancel()
	for range names {
		continue // until it is closed
	}
}

// drained passes names on and has room for all of them: a full channel is told no more.
func drained(names <-chan string) <-chan string {
	all := make(chan string, 1<<16)
	go func() {
		defer close(all)
		for name := range names {
			all <- name
		}
	}()
	return all
}

func awaitName(t *testing.T, names <-chan string, want string) {
	t.Helper()
	timeout := time.After(20 * time.Second)
	for {
		select {
		case name, open := <-names:
			if !open {
				t.Fatalf("nothing is told any more, before %q", want)
			}
			if name == want {
				return
			}
		case <-timeout:
			t.Fatalf("%q is not told", want)
		}
	}
}

func TestChangesAreToldAfterTheSocketHasOverflowed(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	changes, err := m.Network.Changes(ctx)
	must(t, err)
	overflow(t)
	for settled := false; !settled; { // until nothing more comes of it
		select {
		case <-changes:
		case <-time.After(2 * time.Second):
			settled = true
		}
	}
	addVeth(t, "after0")
	select {
	case _, open := <-changes:
		if !open {
			t.Error("nothing is told any more")
		}
	case <-time.After(20 * time.Second):
		t.Error("a change is not told")
	}
	cancel()
	for range changes {
		continue // until it is closed
	}
}
