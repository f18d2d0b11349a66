package linux_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

func TestTheRealKernelKeepsTheContract(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	contract.Run(t, func(t *testing.T) contract.World { return newWorld(t) })
}

func TestTheRealKernelServesManySysctlsAtOnce(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	contract.RunMany(t, func(t *testing.T) contract.World { return &world{t, freshRoot(t)} })
}

// world is this machine, seen through a network namespace and a root of its own.
type world struct {
	t    *testing.T
	root string
}

// newWorld gives the test's thread a network namespace of its own. The thread ends
// with the test, and with it the namespace.
func newWorld(t *testing.T) *world {
	runtime.LockOSThread()
	must(t, unix.Unshare(unix.CLONE_NEWNET))
	// The root of a mounted host is not "/", as in a pod.
	return &world{t, freshRoot(t)}
}

func (w *world) Machine() *machine.Machine {
	w.t.Helper()
	m, err := linux.New(w.root)
	must(w.t, err)
	return m
}

// AddLink adds a bridge: the one kind of link that needs neither hardware nor a peer.
func (w *world) AddLink(name string) {
	w.t.Helper()
	must(w.t, netlink.LinkAdd(&netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: name}}))
}

func (w *world) RemoveLink(name string) {
	w.t.Helper()
	must(w.t, netlink.LinkDel(w.link(name)))
}

func (w *world) RenameLink(from, to string) {
	w.t.Helper()
	must(w.t, netlink.LinkSetName(w.link(from), to))
}

func (w *world) AddAddress(link, cidr string) {
	w.t.Helper()
	a, err := netlink.ParseAddr(cidr)
	must(w.t, err)
	must(w.t, netlink.AddrAdd(w.link(link), a))
}

func (w *world) SetUp(link string) {
	w.t.Helper()
	must(w.t, netlink.LinkSetUp(w.link(link)))
}

func (w *world) AddDefaultRoute(link, gateway, source string, metric int) {
	w.t.Helper()
	must(w.t, netlink.RouteAdd(&netlink.Route{
		LinkIndex: w.link(link).Attrs().Index, Gw: net.ParseIP(gateway), Src: net.ParseIP(source), Priority: metric,
	}))
}

func (w *world) link(name string) netlink.Link {
	w.t.Helper()
	l, err := netlink.LinkByName(name)
	must(w.t, err)
	return l
}

func (w *world) Cover(sysctl string) {
	w.t.Helper()
	file := filepath.Join(w.root, "cover")
	must(w.t, os.WriteFile(file, []byte("1\n"), 0o644))
	w.bind(file, "/proc/sys/"+sysctl)
}

func (w *world) bind(file, target string) {
	w.t.Helper()
	must(w.t, mount(file, target, "", unix.MS_BIND))
	w.t.Cleanup(func() { must(w.t, unix.Unmount(target, unix.MNT_DETACH)) })
}

// Protect has nothing to do: guard made all of /proc/sys but net read-only.
func (w *world) Protect() {}

func (w *world) path(p string) string { return filepath.Join(w.root, p) }

func (w *world) PutFile(path, content string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(w.path(path)), 0o755))
	must(w.t, os.WriteFile(w.path(path), []byte(content), 0o644))
}

func (w *world) PutLink(path, target string) {
	w.t.Helper()
	must(w.t, os.Symlink(target, w.path(path)))
}

func (w *world) PutDir(path string, mode fs.FileMode) {
	w.t.Helper()
	must(w.t, os.Mkdir(w.path(path), mode))
	must(w.t, os.Chmod(w.path(path), mode))
}

func (w *world) PutPipe(path string) {
	w.t.Helper()
	must(w.t, unix.Mkfifo(w.path(path), 0o600))
}

func (w *world) Hardlink(path, name string) {
	w.t.Helper()
	must(w.t, os.Link(w.path(path), w.path(name)))
}

func (w *world) Chown(path string, uid, gid uint32) {
	w.t.Helper()
	must(w.t, os.Chown(w.path(path), int(uid), int(gid)))
}

func (w *world) Mount(path string) {
	w.t.Helper()
	file := filepath.Join(w.root, "cover")
	must(w.t, os.WriteFile(file, []byte("theirs"), 0o644))
	w.bind(file, w.path(path))
}

func (w *world) MountDir(path string) {
	w.t.Helper()
	w.PutDir("/other", 0o755)
	w.bind(w.path("/other"), w.path(path))
}

func (w *world) MountReadOnly(dir string) {
	w.t.Helper()
	w.bind(w.path(dir), w.path(dir))
	must(w.t, mount("", w.path(dir), "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY))
}

// FillDisk shrinks the file system to what is used of it.
func (w *world) FillDisk() {
	w.t.Helper()
	file, err := os.Create(filepath.Join(w.root, "filler"))
	must(w.t, err)
	defer func() { must(w.t, file.Close()) }()
	chunk := make([]byte, 1<<20)
	for err == nil {
		_, err = file.Write(chunk)
	}
}

// unsynced is a kernel that cannot sync a folder.
type unsynced struct {
	atomicfile.Kernel
	folder int
}

func (k unsynced) Fsync(fd int) error {
	if fd == k.folder {
		return unix.EIO
	}
	return k.Kernel.Fsync(fd)
}

func (w *world) WriteUndurably(path, content string) {
	w.t.Helper()
	dir, err := atomicfile.OpenDir(filepath.Dir(w.path(path)))
	must(w.t, err)
	defer func() { must(w.t, dir.Close()) }()
	dir.System = unsynced{folder: dir.FD}
	if err := atomicfile.Write(dir, filepath.Base(path), []byte(content), 0o644); !errors.Is(err, atomicfile.ErrNotDurable) {
		w.t.Fatal(err)
	}
}

func (w *world) Identity(path string) any {
	w.t.Helper()
	var s unix.Stat_t
	must(w.t, unix.Lstat(w.path(path), &s))
	return [3]any{s.Ino, s.Ctim, s.Mtim}
}
