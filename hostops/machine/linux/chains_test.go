package linux_test

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// AddChain sends the kernel one batch, as nft does: a table, and a chain in it.
func (w *world) AddChain(family, table, name string) {
	w.t.Helper()
	number := map[string]uint8{"inet": unix.NFPROTO_INET, "ip": unix.NFPROTO_IPV4, "ip6": unix.NFPROTO_IPV6}[family]
	const nft = unix.NFNL_SUBSYS_NFTABLES << 8
	batch := func(kind int) []byte {
		m := nl.NewNetlinkRequest(kind, 0)
		m.AddData(&nl.Nfgenmsg{ResId: nl.Swap16(unix.NFNL_SUBSYS_NFTABLES)})
		return m.Serialize()
	}
	add := func(kind, flags int, attributes ...*nl.RtAttr) []byte {
		m := nl.NewNetlinkRequest(nft|kind, unix.NLM_F_CREATE|flags)
		m.AddData(&nl.Nfgenmsg{NfgenFamily: number})
		for _, a := range attributes {
			m.AddData(a)
		}
		return m.Serialize()
	}
	s, err := nl.Subscribe(unix.NETLINK_NETFILTER)
	must(w.t, err)
	defer s.Close()
	message := batch(unix.NFNL_MSG_BATCH_BEGIN)
	message = append(message, add(unix.NFT_MSG_NEWTABLE, 0, nl.NewRtAttr(unix.NFTA_TABLE_NAME, nl.ZeroTerminated(table)))...)
	message = append(message, add(unix.NFT_MSG_NEWCHAIN, unix.NLM_F_ACK,
		nl.NewRtAttr(unix.NFTA_CHAIN_TABLE, nl.ZeroTerminated(table)), nl.NewRtAttr(unix.NFTA_CHAIN_NAME, nl.ZeroTerminated(name)))...)
	message = append(message, batch(unix.NFNL_MSG_BATCH_END)...)
	must(w.t, unix.Sendto(s.GetFd(), message, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}))
	answers, _, err := s.Receive()
	must(w.t, err)
	for _, a := range answers {
		if code := int32(binary.NativeEndian.Uint32(a.Data)); a.Header.Type == unix.NLMSG_ERROR && code != 0 {
			w.t.Fatalf("add the chain %s: %v", name, unix.Errno(-code))
		}
	}
}

func TestChainsAreTheirsWhoMayAskForThem(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m := newWorld(t).Machine() // its thread is the test's alone
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	all := make([]unix.CapUserData, 2)
	must(t, unix.Capget(header, &all[0]))
	few := slices.Clone(all)
	few[0].Effective &^= 1 << unix.CAP_NET_ADMIN
	must(t, unix.Capset(header, &few[0]))
	chains, err := m.Network.Chains(t.Context())
	must(t, unix.Capset(header, &all[0]))
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%+v, %v", chains, err)
	}
}

// TestNoModuleIsLoadedToLookForChains: the kernel would load nftables for whoever asks.
func TestNoModuleIsLoadedToLookForChains(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	if _, err := os.Stat("/sys/module/nf_tables"); err == nil {
		t.Skip("needs a kernel that has not loaded nf_tables")
	}
	var about unix.Utsname
	must(t, unix.Uname(&about))
	dir := "/lib/modules/" + unix.ByteSliceToString(about.Release[:])
	w := newWorld(t)
	if _, err := os.Stat(dir); err != nil {
		w.AddChain("ip", "nat", "KUBE-SERVICES") // a kernel that has nftables built in shows that it was asked
	}
	must(t, os.MkdirAll(filepath.Join(w.root, dir), 0o755))
	w.PutFile(dir+"/modules.dep", "kernel/net/netfilter/nf_tables.ko.zst: kernel/net/netfilter/nfnetlink.ko.zst\n")
	if chains, err := w.Machine().Network.Chains(t.Context()); err != nil || len(chains) != 0 {
		t.Errorf("it was asked: %+v, %v", chains, err)
	}
	if _, err := os.Stat("/sys/module/nf_tables"); err == nil {
		t.Error("it was loaded")
	}
}
