package testbed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// SandboxOptions changes what a sandbox covers beyond its defaults.
type SandboxOptions struct {
	// Overlay names further folders that are shown as they are on the machine
	// but whose changes vanish with the sandbox, besides /etc and /var/lib.
	Overlay []string

	// Empty names further folders that are covered by an empty one, besides
	// /run.
	Empty []string

	// Root names a folder, best below /run, at which a throw-away copy of the testbed's
	// root file system is shown, for programs that the machine does not have: see
	// chroot(8) and StartFirewalld. The image is built first if need be.
	Root string
	// RootKind is the kind of host whose root file system Root shows; empty means
	// ContainerKind.
	RootKind Kind
	// SharedNetwork keeps the machine's own network. All of /proc/sys is
	// read-only then, since net.* would be the machine's.
	SharedNetwork bool
}

// Sandbox runs programs of this machine in network, mount, pid, ipc and uts
// namespaces of their own.
//
// There net.* sysctls are the sandbox's own and may be written; all others are
// the machine's and read-only. Changes of /etc, /run and /var/lib vanish. Other
// folders, swap and the kernel are the machine's: a program that changes those
// belongs into a VM.
type Sandbox struct {
	cell *cell
	init *process
	root *rootFolder
	end  context.CancelFunc
}

// NewSandbox makes a sandbox. It needs root.
func NewSandbox(ctx context.Context, o SandboxOptions) (*Sandbox, error) {
	scratch, err := scratchFolder()
	if err != nil {
		return nil, err
	}
	root, err := openRootFolder(ctx, o.Root, o.RootKind)
	if err != nil {
		return nil, fmt.Errorf("make a sandbox: %w", err)
	}
	s, err := newSandbox(ctx, scratch, o, coverSystem(scratch, o, root))
	if err != nil {
		return nil, errors.Join(err, root.close())
	}
	s.root = root
	return s, nil
}

// newSandbox makes the namespaces, guards /proc and then takes the last step.
func newSandbox(ctx context.Context, scratch string, o SandboxOptions, last func() error) (*Sandbox, error) {
	c, err := newCell(privateMounts, func() error { return mountTmpfs(scratch) }, separate(o.SharedNetwork))
	if err != nil {
		return nil, fmt.Errorf("make a sandbox: %w", err)
	}
	s := &Sandbox{cell: c}
	if err := s.enter(ctx, o, last); err != nil {
		return nil, fmt.Errorf("make a sandbox: %w", errors.Join(err, s.Close()))
	}
	return s, nil
}

// enter starts the first process of the pid namespace, which the rest of the
// set-up needs.
func (s *Sandbox) enter(ctx context.Context, o SandboxOptions, last func() error) error {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	s.end = end
	// Whoever ignores SIGCHLD need not reap the orphans given to it.
	init := exec.CommandContext(life, "env", "--ignore-signal=CHLD", "sleep", "infinity")
	var err error
	if s.init, err = startProcess(life, s.cell, init); err != nil {
		return err
	}
	s.cell.enclosed = true
	// Only a process inside a pid namespace can mount that namespace's /proc.
	argv := []string{"mount", "--no-mtab", "-t", "proc", "proc", "/proc"}
	result, err := s.Run(ctx, argv...)
	if err := check(result, err, argv...); err != nil {
		return err
	}
	for _, step := range []func() error{guardProc(!o.SharedNetwork), dropPowers, last} {
		if err := s.cell.do(step); err != nil {
			return err
		}
	}
	return nil
}

// Run runs argv in the sandbox and waits for it, in the caller's working folder
// and with its environment.
func (s *Sandbox) Run(ctx context.Context, argv ...string) (Result, error) {
	p, err := s.Start(ctx, argv...)
	if err != nil {
		return Result{}, err
	}
	return p.Wait()
}

// Start runs argv in the sandbox in the background.
func (s *Sandbox) Start(ctx context.Context, argv ...string) (Process, error) {
	return startProcess(ctx, s.cell, exec.CommandContext(ctx, argv[0], argv[1:]...))
}

// Do runs f on a thread that is in the sandbox, in the caller's own process: files that it
// opens and sockets that it makes are the sandbox's, wherever they are used later. f must
// not start goroutines that expect the same.
func (s *Sandbox) Do(f func() error) error { return s.cell.do(f) }

// Close ends every program of the sandbox and removes it.
func (s *Sandbox) Close() error {
	if s.cell == nil {
		return nil
	}
	if s.end != nil {
		s.end()
	}
	if s.init != nil {
		<-s.init.ended
	}
	s.cell.close()
	s.cell = nil
	return s.root.close()
}

// separate gives the thread, and its children, namespaces of their own.
func separate(sharedNetwork bool) func() error {
	flags := unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	if !sharedNetwork {
		flags |= unix.CLONE_NEWNET
	}
	return func() error {
		if err := unix.Unshare(flags); err != nil {
			return fmt.Errorf("make namespaces: %w", err)
		}
		if err := unix.Sethostname([]byte("hostprofile-sandbox")); err != nil {
			return fmt.Errorf("set the host name: %w", err)
		}
		if sharedNetwork {
			return nil
		}
		return loopbackUp()
	}
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("bring lo up: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("bring lo up: %w", err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("bring lo up: %w", err)
	}
	return nil
}

// guardProc makes read-only what in /proc would change the machine. The net.*
// sysctls belong to the network namespace and so may stay writable.
func guardProc(ownNetwork bool) func() error {
	return func() error {
		for _, path := range []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq"} {
			// Not every kernel has all of them.
			if err := mountReadOnly(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if !ownNetwork {
			return nil
		}
		return mountWritable("/proc/sys/net")
	}
}

// dropPowers takes from later programs what no namespace contains.
func dropPowers() error {
	for _, power := range []uintptr{unix.CAP_SYS_MODULE, unix.CAP_SYS_TIME, unix.CAP_SYS_RAWIO} {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, power, 0, 0, 0); err != nil {
			return fmt.Errorf("drop capability %d: %w", power, err)
		}
	}
	return nil
}

// coverSystem hides the machine's changeable folders.
func coverSystem(scratch string, o SandboxOptions, root *rootFolder) func() error {
	return func() error {
		for i, path := range append([]string{"/etc", "/var/lib"}, o.Overlay...) {
			if err := mountOverlay(path, filepath.Join(scratch, strconv.Itoa(i)), path); err != nil {
				return err
			}
		}
		for _, path := range append([]string{"/run"}, o.Empty...) {
			if err := mountTmpfs(path); err != nil {
				return err
			}
		}
		if err := coverSys(o); err != nil || root == nil {
			return err
		}
		return root.mount(scratch)
	}
}

func coverSys(o SandboxOptions) error {
	if o.SharedNetwork {
		return mountReadOnly("/sys")
	}
	return mount("sysfs", "/sys", "sysfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
}
