package contract

import (
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// World is a host as its admin and its kernel see it: what a test needs to do to a
// host besides being the program. Each is fresh: the links are lo alone, and the
// tree has the empty directories /etc, /run and /var/lib, mode 0755.
type World interface {
	// Machine returns one more view of the host. Locks keep two views apart.
	Machine() *machine.Machine

	AddLink(name string)
	RemoveLink(name string)
	RenameLink(from, to string)
	// AddAddress gives a link an IPv4 address.
	AddAddress(link, cidr string)
	// SetUp switches a link on.
	SetUp(link string)
	// AddDefaultRoute adds an IPv4 default route; the source may be empty.
	AddDefaultRoute(link, gateway, source string, metric int)
	// AddChain adds a chain of nftables, with its table if that is missing.
	AddChain(family, table, name string)
	// Cover mounts a file over a sysctl.
	Cover(sysctl string)
	// Protect puts the sysctl kernel/panic on a read-only mount.
	Protect()

	PutFile(path, content string)
	PutLink(path, target string)
	PutDir(path string, mode fs.FileMode)
	PutPipe(path string)
	Hardlink(path, name string)
	Chown(path string, uid, gid uint32)
	// Mount mounts a file over a file of the tree, MountDir an empty directory over a
	// directory.
	Mount(path string)
	MountDir(path string)
	MountReadOnly(dir string)
	FillDisk()
	// WriteUndurably writes a file as a process does that cannot make it durable.
	WriteUndurably(path, content string)
	// Identity changes whenever the file is written or replaced.
	Identity(path string) any
}

// sentence is one promise and its proof.
type sentence struct {
	says  string
	prove func(t *testing.T, w World, m *machine.Machine)
}

// Run proves every sentence on a world of its own.
func Run(t *testing.T, world func(*testing.T) World) {
	for _, chapter := range []struct {
		name      string
		sentences []sentence
	}{
		{"values", values}, {"refusals", refusals}, {"forwarding", forwarding}, {"defaults", defaults},
		{"ipv6", ipv6}, {"links", links}, {"reading", reading}, {"writing", writing},
		{"targets", targets}, {"failing", failing}, {"directories", directories}, {"locks", locks},
		{"kernel", kernel}, {"network", network}, {"chains", chains},
	} {
		t.Run(chapter.name, func(t *testing.T) {
			for _, s := range chapter.sentences {
				t.Run(s.says, func(t *testing.T) {
					w := world(t)
					s.prove(t, w, w.Machine())
				})
			}
		})
	}
}
