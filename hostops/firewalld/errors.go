package firewalld

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The reasons that this package gives.
const (
	NotInstalled            item.Reason = "NotInstalled"
	NotRunning              item.Reason = "NotRunning"
	Masked                  item.Reason = "Masked"
	ZoneConflict            item.Reason = "ZoneConflict"
	RuntimeOnly             item.Reason = "RuntimeOnly"
	PermanentOnly           item.Reason = "PermanentOnly"
	WouldOpenHost           item.Reason = "WouldOpenHost"
	PermissionDenied        item.Reason = "PermissionDenied"
	ManagedByNetworkManager item.Reason = "ManagedByNetworkManager"
	ForwardFromNicZone      item.Reason = "ForwardFromNicZone"
)

// idle says why there is nothing to bind to. It is no failure: a host without a firewall
// lets pods through.
func idle(s machine.FirewallState) *item.Error {
	e := &item.Error{Err: fs.ErrNotExist}
	switch s {
	case machine.FirewallAbsent:
		e.Reason, e.Message = NotInstalled, "firewalld is not installed"
	case machine.FirewallMasked:
		e.Reason, e.Message = Masked, "firewalld is masked, and does not run"
	default:
		e.Reason, e.Message = NotRunning, "firewalld does not run; its files are changed for its next start"
	}
	return e
}

// conflict says that a binding belongs to another zone, and how a person moves it.
func conflict(r Ref, now item.State) *item.Error {
	e := &item.Error{
		Reason: ZoneConflict, Err: machine.ErrZoneConflict, Fix: r.command("change"),
		Message: fmt.Sprintf("%s is in zone %s%s, and is left there", r.Binding.Name, now, where(r)),
	}
	if strings.Contains(now.Text(), " ") {
		e.Message = fmt.Sprintf("%s is in several zones of the files: %s", r.Binding.Name, now)
		e.Fix = "leave it in one of them: firewall-cmd --permanent --zone=ZONE --remove-interface=" + r.Binding.Name
	}
	return e
}

func where(r Ref) string {
	if r.Binding.Permanent {
		return " of firewalld's files"
	}
	return ""
}

// unreachable says that firewalld cannot be asked.
func unreachable(err error) *item.Error {
	e := &item.Error{Reason: PermissionDenied, Message: err.Error(), Err: err, Fix: "systemctl status dbus firewalld"}
	switch {
	case errors.Is(err, machine.ErrImpostor):
		e.Fix = "busctl status org.fedoraproject.FirewallD1"
	case errors.Is(err, machine.ErrBusWentAway): // nothing else works without it: a person has to look
	case errors.Is(err, machine.ErrWentAway):
		e.Reason, e.Fix = NotRunning, "" // the next run sees whether it came back
	}
	return e
}

// explain says why a binding was not made or ended, and what a person types instead.
func explain(r Ref, err error) error {
	if err == nil {
		return nil
	}
	verb := "add"
	e := &item.Error{Reason: PermanentOnly, Err: err, Message: err.Error()}
	switch {
	case errors.Is(err, machine.ErrZoneConflict):
		e.Reason, verb = ZoneConflict, "change"
	case errors.Is(err, machine.ErrImpostor), errors.Is(err, machine.ErrWentAway), errors.Is(err, context.DeadlineExceeded):
		return unreachable(err)
	case errors.Is(err, fs.ErrNotExist):
		e.Message, e.Err = fmt.Sprintf("firewalld has no zone %s", r.Zone), nil // an error, and nothing to skip
	case r.Binding.Permanent:
		e.Reason = RuntimeOnly
	}
	e.Fix = r.command(verb)
	return e
}
