package linux

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

const (
	firewallName = "org.fedoraproject.FirewallD1"
	firewallPath = dbus.ObjectPath("/org/fedoraproject/FirewallD1")
	configPath   = firewallPath + "/config"
)

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
		return nil, "", b.unanswered(conn, "the message bus does not answer", err)
	}
	var uid uint32
	if err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetConnectionUnixUser", 0, owner).Store(&uid); gone(err) {
		return nil, "", fmt.Errorf("firewalld %w: %w", machine.ErrWentAway, err)
	} else if err != nil {
		return nil, "", b.unanswered(conn, "ask the message bus who "+firewallName+" is", err)
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
		return fmt.Errorf("firewalld %w: %w", machine.ErrWentAway, err)
	}
	return b.unanswered(conn, "", err)
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
