package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"syscall"

	systemd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// systemdSocket is where systemd takes calls of root without a message bus.
const systemdSocket = "/run/systemd/private"

// systemdConn is a connection to the host's systemd.
type systemdConn struct {
	*systemd.Conn
	raw *dbus.Conn // for what the library does not know: the one on which it hears of jobs
}

// connect makes a connection that is the caller's. It is closed when ctx ends.
func (u *units) connect(ctx context.Context) (*systemdConn, error) {
	c := &systemdConn{}
	var err error
	c.Conn, err = systemd.NewConnection(func() (*dbus.Conn, error) {
		conn, err := u.dial(ctx)
		c.raw = conn
		return conn, err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// dial reaches systemd through its own socket, which takes root only. Others may look, and
// do so over the message bus, on which nobody but root can have systemd's name.
func (u *units) dial(ctx context.Context) (*dbus.Conn, error) {
	if os.Geteuid() != 0 {
		conn, err := u.bus.dial(ctx)
		if errors.Is(err, machine.ErrNotRunning) {
			err = fmt.Errorf("%w: %w", machine.ErrNoSystemd, err)
		}
		return conn, err
	}
	socket, err := new(net.Dialer).DialContext(ctx, "unix", u.socket)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, fmt.Errorf("%w: %w", machine.ErrNoSystemd, err)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to systemd: %w", err)
	}
	if err := mustBeRoots(socket); err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	conn, err := dbus.NewConn(socket, dbus.WithContext(ctx))
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	// Not by name: looking one up needs a C library.
	if err := conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Geteuid()))}); err != nil {
		return nil, errors.Join(fmt.Errorf("systemd does not let us in: %w", err), conn.Close())
	}
	return conn, nil
}

// mustBeRoots refuses a socket that somebody else than root listens on.
func mustBeRoots(socket net.Conn) error {
	raw, err := socket.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	var sockErr error
	err = raw.Control(func(fd uintptr) { peer, sockErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, sockErr); err != nil {
		return fmt.Errorf("ask who listens on systemd's socket: %w", err)
	}
	if peer.Uid != 0 {
		return fmt.Errorf("systemd's socket is held by the user with id %d: %w", peer.Uid, machine.ErrImpostor)
	}
	return nil
}

// fileState asks what the files of a unit are. A property of the unit would tell what
// they were when systemd last read them.
func (c *systemdConn) fileState(ctx context.Context, name string) (machine.UnitState, error) {
	var word string
	err := c.raw.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1").
		CallWithContext(ctx, "org.freedesktop.systemd1.Manager.GetUnitFileState", 0, name).Store(&word)
	if errors.Is(saidBySystemd(err), fs.ErrNotExist) {
		return machine.UnitAbsent, nil
	}
	if word == "masked-runtime" {
		return machine.UnitMasked, err
	}
	return machine.UnitState(word), err
}
