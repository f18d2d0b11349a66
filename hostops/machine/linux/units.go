package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	systemd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The bounds of what systemd is asked for. While it reads its units it answers nobody, and
// that takes seconds on a busy host; sd-bus waits as long. Stopping a unit takes as long as
// its process does, which systemd kills after ninety seconds.
const (
	unitPatience = 25 * time.Second
	stopPatience = 100 * time.Second
)

// units implements machine.Units through systemd's own socket, which is there before and
// without a message bus.
type units struct {
	files  *files
	socket string
	bus    *bus // for those who are not root
}

// SystemdRuns looks for the folder by which systemd's own tools tell.
func (u *units) SystemdRuns() bool {
	info, err := u.files.Lstat("/run/systemd/system")
	return err == nil && info.IsDir()
}

func (u *units) Unit(ctx context.Context, name string) (out machine.Unit, err error) {
	err = u.ask(ctx, unitPatience, func(ctx context.Context, c *systemdConn) error {
		if out.State, err = c.fileState(ctx, name); err != nil {
			return err
		}
		var pid uint32
		err := errors.Join(
			store(&out.Active)(c.GetUnitPropertyContext(ctx, name, "ActiveState")),
			store(&out.NeedsReload)(c.GetUnitPropertyContext(ctx, name, "NeedDaemonReload")),
			store(&pid)(c.GetServicePropertyContext(ctx, name, "MainPID")))
		out.Running = out.Active == "active" || out.Active == "activating" || out.Active == "reloading"
		out.MainPID = int(pid)
		return err
	})
	return out, failed("look at", name, err)
}

// store takes one property: all of a unit are two hundred.
func store[T any](to *T) func(*systemd.Property, error) error {
	return func(p *systemd.Property, err error) error {
		if err == nil {
			*to, _ = p.Value.Value().(T)
		}
		return err
	}
}

func (u *units) EnableUnit(ctx context.Context, name string) error {
	return failed("enable", name, u.ask(ctx, unitPatience, func(ctx context.Context, c *systemdConn) error {
		state, err := c.fileState(ctx, name)
		if err == nil && state == machine.UnitMasked {
			return machine.ErrMasked // an empty file is masked too, and systemd would enable it
		}
		if err != nil {
			return err
		}
		_, _, err = c.EnableUnitFilesContext(ctx, []string{name}, false, false)
		return err
	}))
}

func (u *units) DisableUnit(ctx context.Context, name string) error {
	return failed("disable", name, absentIsFine(u.ask(ctx, unitPatience, func(ctx context.Context, c *systemdConn) error {
		_, err := c.DisableUnitFilesContext(ctx, []string{name}, false)
		return err
	})))
}

func (u *units) StartUnit(ctx context.Context, name string) error {
	return failed("start", name, u.ask(ctx, unitPatience, func(ctx context.Context, c *systemdConn) error {
		_, err := c.StartUnitContext(ctx, name, "replace", nil)
		return err
	}))
}

func (u *units) RestartUnit(ctx context.Context, name string) error {
	return failed("restart", name, u.ask(ctx, unitPatience, func(ctx context.Context, c *systemdConn) error {
		_, err := c.RestartUnitContext(ctx, name, "replace", nil)
		return err
	}))
}

func (u *units) StopUnit(ctx context.Context, name string) error {
	return failed("stop", name, absentIsFine(u.ask(ctx, stopPatience, func(ctx context.Context, c *systemdConn) error {
		done := make(chan string, 1)
		if _, err := c.StopUnitContext(ctx, name, "replace", done); err != nil {
			return err
		}
		select {
		case result := <-done:
			if result != "done" && result != "skipped" {
				return fmt.Errorf("its stop job ended as %q", result)
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-c.raw.Context().Done(): // nobody is left who would tell
			return dbus.ErrClosed
		}
	})))
}

func (u *units) ReloadUnits(ctx context.Context) error {
	return failed("reload", "systemd", u.ask(ctx, stopPatience, func(ctx context.Context, c *systemdConn) error {
		return c.ReloadContext(ctx)
	}))
}

// ask calls f with a connection to systemd, within a time.
func (u *units) ask(ctx context.Context, patience time.Duration, f func(context.Context, *systemdConn) error) error {
	if !u.SystemdRuns() {
		return machine.ErrNoSystemd
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("systemd did not answer within %s", patience))
	defer cancel()
	c, err := u.connect(ctx)
	if err == nil {
		defer c.Close()
		err = f(ctx, c)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		err = errors.Join(context.Cause(ctx), err)
	case ended(err):
		err = fmt.Errorf("the connection to systemd was closed while it was asked: %w", err)
	}
	return saidBySystemd(err)
}

// unitErrors are the machine's errors for what systemd says.
var unitErrors = map[string]error{
	"org.freedesktop.systemd1.NoSuchUnit":       fs.ErrNotExist,
	"org.freedesktop.DBus.Error.FileNotFound":   fs.ErrNotExist,
	"org.freedesktop.systemd1.UnitMasked":       machine.ErrMasked,
	"org.freedesktop.DBus.Error.AccessDenied":   fs.ErrPermission,
	"org.freedesktop.DBus.Error.FileExists":     fs.ErrExist,
	"org.freedesktop.DBus.Error.NotSupported":   errors.ErrUnsupported,
	"org.freedesktop.DBus.Error.InvalidArgs":    machine.ErrInvalid,
	"org.freedesktop.systemd1.NoSuchUnitFile":   fs.ErrNotExist,
	"System.Error.ENOENT":                       fs.ErrNotExist,
	"System.Error.EROFS":                        machine.ErrReadOnly,
	"org.freedesktop.DBus.Error.FileIsReadOnly": machine.ErrReadOnly,
}

func saidBySystemd(err error) error {
	var said dbus.Error
	if errors.As(err, &said) {
		if is := unitErrors[said.Name]; is != nil {
			return &meaning{err, []error{is}}
		}
	}
	return err
}

func absentIsFine(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
