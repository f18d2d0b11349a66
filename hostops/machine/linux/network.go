package linux

import "golang.org/x/sys/unix"

// network implements machine.Network in the process's network namespace.
type network struct {
	files  *files
	socket int
	err    error // why there is no socket
}

func (n *network) open() {
	n.socket, n.err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
}

// LinkIndex asks the kernel by ioctl: one call on a socket that stays open, against a
// dump of all links over netlink.
func (n *network) LinkIndex(name string) (int, error) {
	if n.err != nil {
		return 0, failed("link", name, n.err)
	}
	request, err := unix.NewIfreq(name)
	if err != nil {
		return 0, failed("link", name, unix.ENODEV)
	}
	if err := unix.IoctlIfreq(n.socket, unix.SIOCGIFINDEX, request); err != nil {
		return 0, failed("link", name, err)
	}
	return int(request.Uint32()), nil
}
