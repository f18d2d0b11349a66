package linux

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// firewall implements machine.Firewall: over the message bus while firewalld runs, and
// from its files otherwise.
type firewall struct {
	root  *root
	files *files
	bus   *bus
}

func (f *firewall) Look(ctx context.Context) (machine.Firewalld, error) {
	d := machine.Firewalld{State: machine.FirewallRunning}
	var version dbus.Variant
	err := f.bus.call(ctx, firewallPath, "org.freedesktop.DBus.Properties.Get", []any{firewallName, "version"}, &version)
	switch {
	case errors.Is(err, machine.ErrNotRunning):
		d.State = f.idle()
	case err != nil:
		return machine.Firewalld{}, err
	}
	if d.State == machine.FirewallAbsent {
		return d, nil
	}
	d.Version, _ = version.Value().(string)
	d.DefaultZone, d.Backend = f.settings()
	if d.State != machine.FirewallRunning {
		return d, nil
	}
	return d, f.bus.call(ctx, firewallPath, firewallName+".getDefaultZone", nil, &d.DefaultZone)
}

// idle tells apart why firewalld does not run.
func (f *firewall) idle() machine.FirewallState {
	if !f.installed() {
		return machine.FirewallAbsent
	}
	for _, dir := range []string{"/etc/systemd/system", "/run/systemd/system"} {
		if target, err := f.files.Readlink(dir + "/firewalld.service"); err == nil && target == "/dev/null" {
			return machine.FirewallMasked
		}
	}
	return machine.FirewallStopped
}

func (f *firewall) installed() bool {
	for _, path := range []string{"/usr/sbin/firewalld", "/usr/bin/firewalld"} {
		if _, err := f.files.Lstat(path); err == nil {
			return true
		}
	}
	return false
}

// settings reads the default zone and the backend from firewalld.conf, where a missing
// line means what the program has built in.
func (f *firewall) settings() (zone, backend string) {
	zone, backend = "public", "nftables"
	content, err := f.files.Read("/etc/firewalld/firewalld.conf")
	if err != nil {
		return zone, backend
	}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch strings.TrimSpace(name) {
		case "DefaultZone":
			zone = strings.TrimSpace(value)
		case "FirewallBackend":
			backend = strings.TrimSpace(value)
		}
	}
	return zone, backend
}

func (f *firewall) ZoneOf(ctx context.Context, b machine.Binding) (string, error) {
	zone, err := f.liveZoneOf(ctx, b)
	if !errors.Is(err, machine.ErrNotRunning) {
		return zone, err
	}
	if !b.Permanent {
		return "", nil
	}
	return f.fileZoneOf(b)
}

func (f *firewall) Bound(ctx context.Context) (map[machine.Binding]string, error) {
	bound, err := f.liveBound(ctx)
	if err != nil && !errors.Is(err, machine.ErrNotRunning) {
		return nil, err
	}
	permanent, err := f.fileBound()
	maps.Copy(bound, permanent)
	return bound, err
}

func (f *firewall) Bind(ctx context.Context, zone string, b machine.Binding) error {
	err := f.change(ctx, zone, b, "add", "")
	// Of its files it says that an interface is invalid which is in another zone.
	if refused(err, "ZONE_CONFLICT", "INVALID_INTERFACE") || errors.Is(err, machine.ErrZoneConflict) {
		err = cmp.Or(f.elsewhere(ctx, zone, b), err)
	}
	return failed("bind", b.Name, allowed(err, "ALREADY_ENABLED", "ZONE_ALREADY_SET"))
}

func (f *firewall) Unbind(ctx context.Context, zone string, b machine.Binding) error {
	err := f.change(ctx, zone, b, "remove", zone)
	if refused(err, "ZONE_CONFLICT", "NOT_ENABLED") || errors.Is(err, machine.ErrZoneConflict) {
		err = f.elsewhere(ctx, zone, b)
	}
	return failed("unbind", b.Name, allowed(err, "UNKNOWN_INTERFACE", "UNKNOWN_SOURCE"))
}

// elsewhere names the other zone that something is bound to. It is nil if there is none.
func (f *firewall) elsewhere(ctx context.Context, zone string, b machine.Binding) error {
	now, err := f.ZoneOf(ctx, b)
	if err == nil && now != "" && now != zone {
		return fmt.Errorf("it is in zone %s: %w", now, machine.ErrZoneConflict)
	}
	return err
}

// change makes or ends a binding whose zone is from before. firewalld itself refuses to
// add what is in another zone, and at run time to remove it.
func (f *firewall) change(ctx context.Context, zone string, b machine.Binding, verb, from string) error {
	err := f.liveChange(ctx, zone, b, verb)
	if !errors.Is(err, machine.ErrNotRunning) || !b.Permanent {
		return err
	}
	switch now, err := f.fileZoneOf(b); {
	case err != nil:
		return err
	case now != from && now != "" && now != zone:
		return machine.ErrZoneConflict
	case now != from:
		return nil // as wished
	}
	return f.fileChange(ctx, zone, b, verb)
}

func (f *firewall) DropZoneFile(ctx context.Context, zone string) error {
	err := f.liveDrop(ctx, zone)
	if errors.Is(err, machine.ErrNotRunning) {
		err = f.files.Remove(zonefile.Path(zone))
	}
	return failed("drop", zonefile.Path(zone), err)
}

func (f *firewall) Zones(ctx context.Context) ([]machine.Zone, error) {
	zones, err := f.liveZones(ctx)
	if errors.Is(err, machine.ErrNotRunning) {
		return f.fileZones()
	}
	return zones, err
}

func (f *firewall) ZoneTarget(ctx context.Context, zone string) (string, error) {
	target, err := f.liveTarget(ctx, zone)
	if errors.Is(err, machine.ErrNotRunning) {
		target, err = f.fileTarget(zone)
	}
	return target, failed("look at", zone, err)
}

// meant gives firewalld's refusals their meaning. It says the kind, a colon and a text.
func meant(err error) error {
	var said dbus.Error
	if !errors.As(err, &said) {
		return err
	}
	for code, is := range map[string]error{
		"ZONE_CONFLICT": machine.ErrZoneConflict, "INVALID_ZONE": fs.ErrNotExist, "NO_DEFAULTS": fs.ErrNotExist,
		"INVALID_INTERFACE": machine.ErrInvalid,
	} {
		if code == codeOf(said) {
			return &meaning{err, []error{is}}
		}
	}
	return err
}

func codeOf(said dbus.Error) string {
	code, _, _ := strings.Cut(said.Error(), ":")
	return code
}

// refused reports whether firewalld refused something with one of these codes.
func refused(err error, codes ...string) bool {
	var said dbus.Error
	return errors.As(err, &said) && slices.Contains(codes, codeOf(said))
}

// allowed takes refusals away that say that there is nothing to do.
func allowed(err error, codes ...string) error {
	if refused(err, codes...) {
		return nil
	}
	return meant(err)
}
