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
}

// connect returns the connection. A host without a bus is machine.ErrNotRunning.
func (b *bus) connect(ctx context.Context) (*dbus.Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil && b.conn.Connected() {
		return b.conn, nil
	}
	conn, err := b.dial(ctx)
	if err != nil {
		return nil, err
	}
	b.conn = conn
	return conn, nil
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

// firewalld returns the bus's own name of the firewalld that runs: calls go to that
// name, so that nobody else can take them. Asking for it does not start a firewalld.
func (b *bus) firewalld(ctx context.Context) (*dbus.Conn, string, error) {
	conn, err := b.connect(ctx)
	if err != nil {
		return nil, "", err
	}
	var owner string
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, firewallName).Store(&owner)
	var said dbus.Error
	if errors.As(err, &said) && said.Name == "org.freedesktop.DBus.Error.NameHasNoOwner" {
		return nil, "", machine.ErrNotRunning
	}
	if err != nil {
		return nil, "", fmt.Errorf("the message bus does not answer: %w", err)
	}
	var uid uint32
	if err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetConnectionUnixUser", 0, owner).Store(&uid); err != nil {
		return nil, "", fmt.Errorf("ask the message bus who %s is: %w", firewallName, err)
	}
	if uid != 0 {
		return nil, "", fmt.Errorf("%s is held by the user with id %d: %w", firewallName, uid, machine.ErrImpostor)
	}
	return conn, owner, nil
}

// call calls a method of an object of firewalld's and stores what it returns.
func (b *bus) call(ctx context.Context, path dbus.ObjectPath, method string, args []any, out ...any) error {
	ctx, cancel := context.WithTimeout(ctx, busPatience)
	defer cancel()
	conn, owner, err := b.firewalld(ctx)
	if err != nil {
		return err
	}
	err = conn.Object(owner, path).CallWithContext(ctx, method, dbus.FlagNoAutoStart, args...).Store(out...)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("firewalld did not answer within %s: %w", busPatience, err)
	}
	if gone(err) {
		return fmt.Errorf("%w: %w", machine.ErrWentAway, err)
	}
	return err
}

// gone reports whether the bus says that whoever was called is not there any more: it was
// there a moment ago.
func gone(err error) bool {
	var said dbus.Error
	return errors.As(err, &said) &&
		slices.Contains([]string{
			"org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
		}, said.Name)
}
