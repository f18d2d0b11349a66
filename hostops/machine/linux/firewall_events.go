package linux

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// eventBacklog is how many events wait for a slow reader.
const eventBacklog = 64

// FirewallEvents listens on a connection of its own, which ends with ctx.
func (f *firewall) FirewallEvents(ctx context.Context) (<-chan machine.FirewallEvent, error) {
	conn, err := f.listen(ctx)
	if err != nil {
		return nil, failed("listen for events", "firewalld", err)
	}
	signals, events := make(chan *dbus.Signal, eventBacklog), make(chan machine.FirewallEvent, eventBacklog)
	conn.Signal(signals)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	go func() {
		defer close(events)
		defer stop()
		for s := range signals {
			if e := eventOf(s); e != "" {
				select {
				case events <- e:
				default:
				}
			}
		}
	}()
	return events, nil
}

func (f *firewall) listen(ctx context.Context) (*dbus.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, busPatience)
	defer cancel()
	conn, err := f.bus.dial(ctx)
	if err != nil {
		return nil, err
	}
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(firewallName), dbus.WithMatchInterface(firewallName)},
		{dbus.WithMatchSender(firewallName), dbus.WithMatchInterface(firewallName + ".zone")},
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, firewallName)},
	} {
		if err := conn.AddMatchSignalContext(ctx, match...); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

// eventOf names what a signal says; nothing if it is about something else.
func eventOf(s *dbus.Signal) machine.FirewallEvent {
	switch s.Name {
	case "org.freedesktop.DBus.NameOwnerChanged":
		if len(s.Body) == 3 && s.Body[0] == firewallName {
			if s.Body[2] == "" {
				return machine.FirewallEnded
			}
			return machine.FirewallStarted
		}
	case firewallName + ".Reloaded":
		return machine.FirewallReloaded
	case firewallName + ".DefaultZoneChanged", zoneFace + "InterfaceAdded", zoneFace + "InterfaceRemoved",
		zoneFace + "ZoneOfInterfaceChanged", zoneFace + "ZoneChanged", zoneFace + "SourceAdded", zoneFace + "SourceRemoved":
		return machine.FirewallChanged
	}
	return ""
}
