package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// busPatience bounds every call on the message bus.
const busPatience = 5 * time.Second

const (
	busSocket    = "/run/dbus/system_bus_socket"
	firewallName = "org.fedoraproject.FirewallD1"
	firewallPath = dbus.ObjectPath("/org/fedoraproject/FirewallD1")
	configPath   = firewallPath + "/config"
)

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
// host without a bus is machine.ErrNotRunning.
func (b *bus) connect(ctx context.Context) (conn *dbus.Conn, holder string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil && b.conn.Connected() {
		return b.conn, b.holder, nil
	}
	if conn, err = b.dial(ctx); err != nil {
		return nil, "", err
	}
	b.conn, b.holder = conn, ""
	return conn, "", nil
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

// hold remembers who firewalld is on a connection, and forgets it for "".
func (b *bus) hold(conn *dbus.Conn, holder string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == conn {
		b.holder = holder
	}
}

// askFirewalld returns the bus's own name of the firewalld that runs: calls go to that
// name, so that nobody else can take them. Asking for it does not start a firewalld.
func askFirewalld(ctx context.Context, conn *dbus.Conn) (string, error) {
	var owner string
	err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, firewallName).Store(&owner)
	if said(err, nobody...) {
		return "", machine.ErrNotRunning
	}
	if err != nil {
		return "", fmt.Errorf("the message bus does not answer: %w", err)
	}
	var uid uint32
	if err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetConnectionUnixUser", 0, owner).Store(&uid); err != nil {
		return "", fmt.Errorf("ask the message bus who %s is: %w", firewallName, err)
	}
	if uid != 0 {
		return "", fmt.Errorf("%s is held by the user with id %d: %w", firewallName, uid, machine.ErrImpostor)
	}
	return owner, nil
}

// call calls a method of an object of firewalld's and stores what it returns.
func (b *bus) call(ctx context.Context, path dbus.ObjectPath, method string, args []any, out ...any) error {
	ctx, cancel := context.WithTimeout(ctx, busPatience)
	defer cancel()
	conn, holder, err := b.connect(ctx)
	if err != nil {
		return err
	}
	if holder != "" {
		err = send(ctx, conn, holder, path, method, args, out)
		if !said(err, nobody...) {
			return answered(err)
		}
		b.hold(conn, "") // it ended since, and the call has reached nobody
	}
	if holder, err = askFirewalld(ctx, conn); err != nil {
		return err
	}
	b.hold(conn, holder)
	return answered(send(ctx, conn, holder, path, method, args, out))
}

func send(ctx context.Context, conn *dbus.Conn, to string, path dbus.ObjectPath, method string, args, out []any) error {
	return conn.Object(to, path).CallWithContext(ctx, method, dbus.FlagNoAutoStart, args...).Store(out...)
}

// answered gives an error of a call to firewalld its meaning.
func answered(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("firewalld did not answer within %s: %w", busPatience, err)
	case said(err, nobody...), said(err, "org.freedesktop.DBus.Error.NoReply"):
		return fmt.Errorf("%w: %w", machine.ErrWentAway, err) // it was there a moment ago
	}
	return err
}

// nobody is what a bus says if there is none of the name that was called.
var nobody = []string{"org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"}

// said reports whether an error is one of these that a bus or its peers say.
func said(err error, names ...string) bool {
	var is dbus.Error
	return errors.As(err, &is) && slices.Contains(names, is.Name)
}
