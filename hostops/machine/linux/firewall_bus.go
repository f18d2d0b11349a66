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

// askFirewalld returns the bus's own name of the firewalld that runs: calls go to that
// name, so that nobody else can take them. Asking for it does not start a firewalld.
func (b *bus) askFirewalld(ctx context.Context, conn *dbus.Conn) (string, error) {
	var owner string
	err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, firewallName).Store(&owner)
	if said(err, nobody...) {
		return "", machine.ErrNotRunning
	}
	if err != nil {
		return "", b.unanswered(conn, "the message bus does not answer", err)
	}
	var uid uint32
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetConnectionUnixUser", 0, owner).Store(&uid)
	if gone(err) {
		return "", fmt.Errorf("firewalld %w: %w", machine.ErrWentAway, err)
	}
	if err != nil {
		return "", b.unanswered(conn, "ask the message bus who "+firewallName+" is", err)
	}
	if uid != 0 {
		return "", fmt.Errorf("%s is held by the user with id %d: %w", firewallName, uid, machine.ErrImpostor)
	}
	b.hold(conn, owner)
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
	send := func() error {
		return conn.Object(holder, path).CallWithContext(ctx, method, dbus.FlagNoAutoStart, args...).Store(out...)
	}
	if holder != "" {
		err = send()
		if !said(err, nobody...) {
			return b.answered(conn, err)
		}
		b.hold(conn, "") // it ended since it was asked last, and the call has reached nobody
	}
	if holder, err = b.askFirewalld(ctx, conn); err != nil {
		return err
	}
	return b.answered(conn, send())
}

// answered gives an error of a call to firewalld its meaning.
func (b *bus) answered(conn *dbus.Conn, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("firewalld did not answer within %s: %w", busPatience, err)
	}
	if gone(err) {
		return fmt.Errorf("firewalld %w: %w", machine.ErrWentAway, err)
	}
	return b.unanswered(conn, "", err)
}

// nobody is what a bus says if there is none of the name that was called.
var nobody = []string{"org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"}

// gone reports whether the bus says that whoever was called is not there any more: it was
// there a moment ago.
func gone(err error) bool {
	return said(err, nobody...) || said(err, "org.freedesktop.DBus.Error.NoReply")
}

// said reports whether an error is one of these that a bus or its peers say.
func said(err error, names ...string) bool {
	var is dbus.Error
	return errors.As(err, &is) && slices.Contains(names, is.Name)
}
