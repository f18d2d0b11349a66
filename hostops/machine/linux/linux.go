package linux

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Option changes how the machine is reached.
type Option func(*host)

// Label replaces the function that gives a new file the security label of its final path,
// before it has content. The path is the host's. Without it the label is SELinux's.
func Label(label func(fd int, path string) error) Option {
	return func(h *host) { h.files.label = label }
}

// Offline is for a host that does not run: no message bus is asked, and a program that runs
// from elsewhere can be copied to it all the same.
func Offline() Option {
	return func(h *host) { h.bus.none, h.program.elsewhere = true, true }
}

// ManySysctls is for a run that will read and write many: what that needs is begun at once,
// beside what comes before them.
func ManySysctls() Option { return func(h *host) { h.proc.sysctls.prepare() } }

// host is what New opens. The handles are closed when nothing uses the machine.
type host struct {
	root    root
	files   files
	locks   locks
	proc    proc
	kernel  kernel
	network network
	bus     *bus
	fire    firewall
	units   units
	program programs
	selinux selinux
}

// New returns the machine whose file system is mounted at root. It opens root and
// /proc/sys once and keeps both: later mounts over them are not seen.
func New(path string, options ...Option) (*machine.Machine, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the host's root %s: %w", path, translate(err))
	}
	h := &host{root: root{fd: fd, path: path}}
	h.files.root, h.locks.root, h.kernel.root = &h.root, &h.root, &h.root
	h.bus = &bus{socket: path + busSocket}
	h.network.files = &h.files
	h.fire = firewall{root: &h.root, files: &h.files, bus: h.bus}
	h.units = units{files: &h.files, socket: path + systemdSocket, bus: h.bus}
	h.program = programs{root: &h.root, files: &h.files}
	h.selinux.root, h.selinux.files = &h.root, &h.files
	h.files.label, h.files.folderLabel, h.locks.label = h.selinux.labelFile, h.selinux.labelFolder, h.selinux.labelFile
	if h.proc.sysctls, err = openSysctls(); err != nil {
		shut(fd)
		return nil, err
	}
	for _, option := range options {
		option(h)
	}
	h.network.open()
	runtime.AddCleanup(h, func(s *sysctls) { s.close() }, h.proc.sysctls)
	runtime.AddCleanup(h, func(b *bus) { b.close() }, h.bus)
	runtime.AddCleanup(h, func(fds [2]int) { shut(fds[0]); shut(fds[1]) }, [2]int{fd, h.network.socket})
	return &machine.Machine{
		Files: &h.files, Locks: &h.locks, Proc: &h.proc,
		Kernel: &h.kernel, Mounts: mounts{}, Network: &h.network, Firewall: &h.fire,
		Units: &h.units, Programs: &h.program, SELinux: &h.selinux, Clock: clock{},
	}, nil
}
