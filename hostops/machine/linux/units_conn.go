package linux

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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
//
// The library wants one for calls and one for signals. It gets the same for both: systemd
// tells each of its own connections of whatever happens to any unit, and a reload is a
// thousand messages. Replies and signals do not wait for each other.
func (u *units) connect(ctx context.Context) (*systemdConn, error) {
	raw, err := u.dial(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := systemd.NewConnection(func() (*dbus.Conn, error) { return raw, nil })
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return &systemdConn{Conn: conn, raw: raw}, nil
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
	conn, err := dbus.NewConn(buffered{socket, bufio.NewReaderSize(socket, readAhead)}, dbus.WithContext(ctx))
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	// Not by name: looking one up needs a C library.
	if err := conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Geteuid()))}); err != nil {
		return nil, errors.Join(fmt.Errorf("systemd does not let us in: %w", err), conn.Close())
	}
	return conn, nil
}

// readAhead holds many of the messages by which systemd tells of a reload: the library reads
// each in pieces, and would wait for each piece.
const readAhead = 64 << 10

// buffered is a socket that is read in large pieces.
type buffered struct {
	net.Conn
	from io.Reader
}

func (b buffered) Read(p []byte) (int, error) { return b.from.Read(p) }

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
