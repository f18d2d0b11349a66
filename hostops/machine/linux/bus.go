package linux

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// busPatience bounds every call on the message bus.
const busPatience = 5 * time.Second

const busSocket = "/run/dbus/system_bus_socket"

// bus is a connection to the host's message bus, made when it is first needed and again
// when it was lost.
type bus struct {
	socket string
	none   bool // there is none, whatever the socket
	mu     sync.Mutex
	conn   *dbus.Conn
	// holder is the bus's own name of the firewalld that was asked last on conn, and is
	// root's; "" if none was. A bus never gives such a name twice.
	holder string
}

// connect returns the connection, and who firewalld is on it if that was asked before. A
// host without a bus is machine.ErrNotRunning, but one that had a bus a moment ago is
// machine.ErrBusWentAway, once: what was asked over it may run still, or be starting again.
func (b *bus) connect(ctx context.Context) (conn *dbus.Conn, holder string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil && b.conn.Connected() {
		return b.conn, b.holder, nil
	}
	lost := b.conn != nil
	b.conn, b.holder = nil, ""
	conn, err = b.dial(ctx)
	if lost && errors.Is(err, machine.ErrNotRunning) {
		return nil, "", machine.ErrBusWentAway
	}
	if err != nil {
		return nil, "", err
	}
	b.conn = conn
	return conn, "", nil
}

// hold remembers who firewalld is on a connection, and forgets it for "".
func (b *bus) hold(conn *dbus.Conn, holder string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == conn {
		b.holder = holder
	}
}

// dial makes a connection that is the caller's.
func (b *bus) dial(ctx context.Context) (*dbus.Conn, error) {
	if b.none {
		return nil, fmt.Errorf("the host does not run: %w", machine.ErrNotRunning)
	}
	// The connection outlives this call; what must end with ctx is the handshake.
	conn, err := dbus.Dial("unix:path=" + dbus.EscapeBusAddressValue(b.socket))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, fmt.Errorf("there is no message bus: %w", machine.ErrNotRunning)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to the message bus: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	err = conn.Auth(nil)
	if err == nil {
		err = conn.Hello()
	}
	if ended(err) && ctx.Err() == nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", machine.ErrBusWentAway, err), conn.Close())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the message bus does not answer: %w", errors.Join(err, ctx.Err())), conn.Close())
	}
	return conn, nil
}

func (b *bus) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil {
		_ = b.conn.Close()
	}
}

// unanswered says what was tried when the bus gave an error. The end of the connection is
// machine.ErrBusWentAway, and the connection is forgotten: the library may not know yet.
func (b *bus) unanswered(conn *dbus.Conn, what string, err error) error {
	if ended(err) {
		b.forget(conn)
		return fmt.Errorf("%w: %w", machine.ErrBusWentAway, err)
	}
	if err != nil && what != "" {
		return fmt.Errorf("%s: %w", what, err)
	}
	return err
}

func (b *bus) forget(conn *dbus.Conn) {
	_ = conn.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == conn {
		b.conn = nil
	}
}

// ended reports whether a call has no answer because its connection has ended.
func ended(err error) bool {
	for _, end := range []error{dbus.ErrClosed, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}
