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
	names := make(chan string, linkBacklog)
	listen := linkListener(names)
	hear, err := listen(ctx)
	if err != nil {
		return nil, failed("listen for links", "netlink", err)
	}
	go func() {
		defer close(names)
		listen.keep(ctx, hear, func() { tell(names, "") })
	}()
	return names, nil
}

func linkListener(names chan<- string) listener {
	return func(ctx context.Context) (hear func(), err error) {
		ctx, end := context.WithCancel(ctx)
		updates := make(chan netlink.LinkUpdate, linkBacklog)
		if err := netlink.LinkSubscribe(updates, ctx.Done()); err != nil {
			end()
			return nil, err
		}
		return func() {
			defer end()
			for u := range updates {
				if u.Header.Type == unix.RTM_NEWLINK {
					tell(names, u.Attrs().Name)
				}
			}
		}, nil
	}
}

// tell never blocks: a full channel already says that there is something to look at.
func tell(names chan<- string, name string) {
	select {
	case names <- name:
	default:
	}
}
