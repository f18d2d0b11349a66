package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Chains asks nftables over netlink and the older tables by getsockopt, both without a
// program of the host.
func (n *network) Chains(ctx context.Context) ([]machine.Chain, error) {
	out, err := n.nftChains(ctx)
	if err != nil {
		return nil, failed("list chains", "nftables", err)
	}
	legacy, err := legacyChains(ctx)
	if err != nil {
		return nil, failed("list chains", "ip_tables", err)
	}
	return append(out, legacy...), nil
}

// nfTables is the module of nftables.
const nfTables = "nf_tables"

// nftChains dumps the chains of all families. The kernel would load nftables for whoever
// asks, so that it is asked only if it has it.
func (n *network) nftChains(ctx context.Context) (out []machine.Chain, err error) {
	if can, err := loadable(n.files, nfTables); err != nil || can && !loaded(nfTables) {
		return nil, err
	}
	for range dumpTries {
		if err = ctx.Err(); err != nil {
			return nil, err
		}
		if out, err = dumpChains(); !errors.Is(err, netlink.ErrDumpInterrupted) {
			break
		}
	}
	// What a kernel says that was built without netfilter, and one without nftables.
	if errors.Is(err, unix.EPROTONOSUPPORT) || errors.Is(err, unix.EINVAL) {
		return nil, nil
	}
	return out, err
}

func dumpChains() ([]machine.Chain, error) {
	const kind = unix.NFNL_SUBSYS_NFTABLES << 8
	request := nl.NewNetlinkRequest(kind|unix.NFT_MSG_GETCHAIN, unix.NLM_F_DUMP)
	request.AddData(&nl.Nfgenmsg{NfgenFamily: unix.NFPROTO_UNSPEC, Version: nl.NFNETLINK_V0})
	messages, err := request.Execute(unix.NETLINK_NETFILTER, kind|unix.NFT_MSG_NEWCHAIN)
	if err != nil {
		return nil, err
	}
	var out []machine.Chain
	for _, m := range messages {
		c, err := parseChain(m)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// families are the kernel's numbers of families and nft's words for them.
var families = map[uint8]string{
	unix.NFPROTO_INET: "inet", unix.NFPROTO_IPV4: "ip", unix.NFPROTO_IPV6: "ip6",
	unix.NFPROTO_ARP: "arp", unix.NFPROTO_BRIDGE: "bridge", unix.NFPROTO_NETDEV: "netdev",
}

// parseChain reads one message: the family in its first byte, then attributes.
func parseChain(message []byte) (machine.Chain, error) {
	if len(message) < nl.SizeofNfgenmsg {
		return machine.Chain{}, fmt.Errorf("a message of %d bytes: %w", len(message), unix.EBADMSG)
	}
	c := machine.Chain{Family: families[message[0]]}
	attributes, err := nl.ParseRouteAttr(message[nl.SizeofNfgenmsg:])
	if err != nil {
		return machine.Chain{}, err
	}
	for _, a := range attributes {
		switch a.Attr.Type &^ unix.NLA_F_NESTED {
		case unix.NFTA_CHAIN_TABLE:
			c.Table = text(a.Value)
		case unix.NFTA_CHAIN_NAME:
			c.Name = text(a.Value)
		}
	}
	return c, nil
}

// text is what stands before the first zero byte.
func text(b []byte) string {
	before, _, _ := strings.Cut(string(b), "\x00")
	return before
}

// loadable reports whether the running kernel could load a module by itself: modprobe knows
// those of one list. What is part of the kernel is not on it.
func loadable(f *files, name string) (bool, error) {
	var about unix.Utsname
	if err := unix.Uname(&about); err != nil {
		return false, err
	}
	list, err := f.Read(path.Join("/lib/modules", text(about.Release[:]), "modules.dep"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return strings.Contains(string(list), "/"+name+".ko"), err
}
