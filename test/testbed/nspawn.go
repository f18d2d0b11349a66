package testbed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// rebootStatus is how nspawn ends when its container wants to be started again.
const rebootStatus = 133

// nspawn is one life of a container, from boot to shutdown.
type nspawn struct {
	process *process
	leader  int // the container's first process, by the machine's ids
	end     context.CancelFunc
}

// startNspawn boots the container and waits until its systemd is ready.
func startNspawn(ctx context.Context, c *Container) (*nspawn, error) {
	ready, err := listenReady()
	if err != nil {
		return nil, err
	}
	defer ready.close()
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	n := &nspawn{end: end}
	if n.process, err = spawn(life, c, ready.address()); err != nil {
		end()
		return nil, err
	}
	if n.leader, err = ready.wait(ctx, n.process.ended); err != nil {
		err = fmt.Errorf("%w; console:\n%s", err, tail(n.process.Output(), 2000))
		return nil, errors.Join(err, n.kill())
	}
	return n, nil
}

func spawn(life context.Context, c *Container, notify string) (*process, error) {
	folder, err := c.cgroup.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	cmd := exec.CommandContext(life, "systemd-nspawn", nspawnArgs(c)...)
	cmd.Env = append(os.Environ(),
		"NOTIFY_SOCKET="+notify,
		"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1",
		// Never "yes": without a user namespace the container's systemd
		// would then write the machine's own sysctls.
		"SYSTEMD_NSPAWN_API_VFS_WRITABLE=network",
		"SYSTEMD_NSPAWN_LOCK=0",
	)
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(folder.Fd())}
	return startProcess(life, c.cell, cmd)
}

func nspawnArgs(c *Container) []string {
	args := []string{
		"--quiet", "--boot", "--directory=" + c.root, "--machine=" + c.name, "--hostname=" + c.name,
		"--private-network", "--register=no", "--keep-unit", "--notify-ready=yes", "--console=read-only",
		"--resolv-conf=off", "--timezone=off", "--link-journal=no",
	}
	if c.user {
		args = append(args, fmt.Sprintf("--private-users=%d:%d", firstUser, users), "--private-users-ownership=off")
	}
	return args
}

// runs reports whether the container has not ended yet.
func (n *nspawn) runs() bool { return !isClosed(n.process.ended) }

// kill ends the container's first process, with which the kernel ends all
// others, and then nspawn itself.
func (n *nspawn) kill() error {
	if n.leader != 0 && n.runs() {
		if err := unix.Kill(n.leader, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("kill the container: %w", err)
		}
	}
	n.end()
	<-n.process.ended
	return nil
}

// waitForReboot waits until the container has shut down in order to reboot.
func (n *nspawn) waitForReboot(ctx context.Context) error {
	select {
	case <-n.process.ended:
	case <-ctx.Done():
		return fmt.Errorf("wait for the shutdown: %w", context.Cause(ctx))
	}
	if status := n.process.result.ExitCode; status != rebootStatus {
		return fmt.Errorf("nspawn ended with status %d instead of %d: %s", status, rebootStatus, tail(n.process.Output(), 2000))
	}
	return nil
}

// readySocket receives what nspawn tells a service manager about its container.
type readySocket struct{ conn *net.UnixConn }

// listenReady listens in the abstract name space, which leaves no file.
func listenReady() (*readySocket, error) {
	address := &net.UnixAddr{Net: "unixgram", Name: "@hostprofile-testbed-" + randomHex(8)}
	conn, err := net.ListenUnixgram("unixgram", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the container's start: %w", err)
	}
	return &readySocket{conn: conn}, nil
}

func (s *readySocket) address() string { return s.conn.LocalAddr().String() }

func (s *readySocket) close() { _ = s.conn.Close() }

// wait returns the container's first process once its systemd is ready. It gives
// up when ctx is done or nspawn has ended.
func (s *readySocket) wait(ctx context.Context, ended <-chan struct{}) (leader int, err error) {
	stop := context.AfterFunc(ctx, s.close)
	defer stop()
	heard := make(chan struct{})
	defer close(heard)
	go func() {
		select {
		case <-ended:
			s.close()
		case <-heard:
		}
	}()
	for message := make([]byte, 4096); ; {
		n, err := s.conn.Read(message)
		if err != nil {
			return leader, notReady(ctx)
		}
		for line := range strings.Lines(string(message[:n])) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			switch {
			case name == "X_NSPAWN_LEADER_PID":
				if leader, err = strconv.Atoi(value); err != nil {
					return 0, fmt.Errorf("read the container's process id: %w", err)
				}
			case name == "READY" && value == "1":
				return leader, nil
			}
		}
	}
}

func notReady(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("wait for the container's start: %w", context.Cause(ctx))
	}
	return errors.New("the container ended while it was starting")
}
