package linux

import (
	"context"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// linkBacklog is how many names wait for a slow reader.
const linkBacklog = 256

// NewLinks listens to the kernel's link messages. Every message about a link is told,
// so that a rename is too.
func (n *network) NewLinks(ctx context.Context) (<-chan string, error) {
	updates := make(chan netlink.LinkUpdate, linkBacklog)
	names := make(chan string, linkBacklog)
	err := netlink.LinkSubscribeWithOptions(updates, ctx.Done(), netlink.LinkSubscribeOptions{
		ErrorCallback: func(error) { tell(names, "") }, // the socket overflowed: something was missed
	})
	if err != nil {
		return nil, failed("listen for links", "netlink", err)
	}
	go func() {
		defer close(names)
		for u := range updates {
			if u.Header.Type == unix.RTM_NEWLINK {
				tell(names, u.Attrs().Name)
			}
		}
	}()
	return names, nil
}

// tell never blocks: a full channel already says that there is something to look at.
func tell(names chan<- string, name string) {
	select {
	case names <- name:
	default:
	}
}
