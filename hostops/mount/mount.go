package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The items of this package.
const (
	BPFFS           item.Key = "mount/bpffs"
	RootPropagation item.Key = "mount/root-propagation"
)

// The states of the items, besides Absent for a BPF file system that is not mounted.
var (
	// Mounted is a BPF file system that is mounted and shared: pods that mount it both
	// ways need it so, whatever the root mount is.
	Mounted = item.Text("mounted")
	// MountedPrivate is one that is not shared.
	MountedPrivate = item.Text("mounted, not shared")
	// Shared is a root mount that is shared or a slave, which serve alike: runtimes take
	// either.
	Shared = item.Text("shared")
	// Private is a root mount that is neither.
	Private = item.Text("private")
)

// Operation serves the mounts of one host in one boot.
type Operation struct {
	m    *machine.Machine
	boot string
}

// New returns the operation for a host whose present boot has the given id.
func New(m *machine.Machine, bootID string) *Operation { return &Operation{m: m, boot: bootID} }

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Mount }

// Traits implements item.Operation: a mount ends with the boot.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Volatile, Epoch: o.boot, OneWay: true}
}

// Observe implements item.Operation.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	switch k {
	case BPFFS:
		return o.observeBPF()
	case RootPropagation:
		return o.observeRoot()
	default:
		return item.Unknown, fmt.Errorf("%s is nothing that this version knows", k)
	}
}

func (o *Operation) observeBPF() (item.State, error) {
	m, err := o.m.Mounts.MountAt(paths.BPF)
	switch {
	case err != nil:
		return item.Unknown, explain(paths.BPF, err)
	case m.Filesystem == "bpf" && m.Own && m.Shared:
		return Mounted, nil
	case m.Filesystem == "bpf" && m.Own:
		return MountedPrivate, nil
	case m.Own || !m.Empty:
		return item.Unknown, unexpected(&m)
	default:
		return item.Absent, nil
	}
}

func (o *Operation) observeRoot() (item.State, error) {
	m, err := o.m.Mounts.MountAt("/")
	switch {
	case err != nil:
		return item.Unknown, explain("/", err)
	case m.Shared || m.Slave:
		return Shared, nil
	default:
		return Private, nil
	}
}

// Apply implements item.Operation. The root mount is shared with all below it, as systemd
// does: where it is private, so is everything else.
func (o *Operation) Apply(_ context.Context, k item.Key, from, to item.State) error {
	switch {
	case k == BPFFS && to == Mounted && from == MountedPrivate:
		return explain(paths.BPF, o.m.Mounts.Share(paths.BPF, false))
	case k == BPFFS && to == Mounted:
		return explain(paths.BPF, o.m.Mounts.MountBPF(paths.BPF))
	case k == RootPropagation && to == Shared:
		return explain("/", o.m.Mounts.Share("/", true))
	default:
		return fmt.Errorf("%s is not made %s: what is mounted goes with the next boot", k, to)
	}
}

// The reasons that this package gives.
const (
	UnexpectedFilesystem item.Reason = "UnexpectedFilesystem"
	PermissionDenied     item.Reason = "PermissionDenied"
	BPFUnavailable       item.Reason = "BPFUnavailable"
)

// unexpected refuses to cover what is there: it may hold what others have pinned.
func unexpected(m *machine.Mount) error {
	message := fmt.Sprintf("%s is mounted on %s, so that no BPF file system is mounted there", m.Filesystem, paths.BPF)
	if !m.Own {
		message = fmt.Sprintf("%s is a folder with files of its own, so that no BPF file system is mounted there", paths.BPF)
	}
	return &item.Error{Reason: UnexpectedFilesystem, Message: message, Fix: "findmnt -T " + paths.BPF + "; ls -A " + paths.BPF}
}

// explain says why a mount cannot be seen or changed.
func explain(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist) && path == paths.BPF:
		return &item.Error{
			Reason: BPFUnavailable, Err: err,
			Message: fmt.Sprintf("this kernel has no BPF file system for %s", path),
			Fix:     "run a kernel with CONFIG_BPF_SYSCALL=y, and mount sysfs on /sys",
		}
	case errors.Is(err, fs.ErrExist):
		return &item.Error{
			Reason: UnexpectedFilesystem, Err: err,
			Message: fmt.Sprintf("somebody else was faster: something is mounted on %s now", path),
			Fix:     "findmnt " + path,
		}
	case errors.Is(err, fs.ErrPermission):
		return &item.Error{
			Reason: PermissionDenied, Err: err,
			Message: fmt.Sprintf("the kernel does not let us see or change the mounts of the host's first process: %v", err),
			Fix:     "run as root on the host itself, or mount it where the container is started",
		}
	default:
		return err
	}
}
