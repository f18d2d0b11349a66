package linux_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// withSystemd is a host whose systemd answers at its own socket, until it dies.
func withSystemd(t *testing.T) (*fakeBus, *machine.Machine) {
	t.Helper()
	root := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, "run/systemd/system"), 0o755))
	job := []any{dbus.ObjectPath("/org/freedesktop/systemd1/job/7")}
	b := newFakeBus(t, filepath.Join(root, "run/systemd/private"), map[string][]any{
		"AddMatch": nil, "GetUnitFileState": {"enabled"},
		"Get": {dbus.MakeVariant(uint32(1))}, "Reload": nil, "StartUnit": job, "RestartUnit": job, "StopUnit": job,
		"EnableUnitFiles": {true, [][]any{}}, "DisableUnitFiles": {[][]any{}},
	})
	m, err := linux.New(root)
	must(t, err)
	return b, m
}

// A systemd that executes itself anew closes its socket in the middle of what it is asked.
func TestASystemdThatHangsUpIsTold(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root talks to systemd's own socket: needs root")
	}
	name := contract.UnitName
	for _, tt := range []struct {
		at, after string // where it hangs up: before an answer, or after it
		ask       func(machine.Units) error
	}{
		{at: "GetUnitFileState", ask: func(u machine.Units) error { _, err := u.Unit(t.Context(), name); return err }},
		{at: "Get", ask: func(u machine.Units) error { _, err := u.Unit(t.Context(), name); return err }},
		{at: "Reload", ask: func(u machine.Units) error { return u.ReloadUnits(t.Context()) }},
		{at: "StartUnit", ask: func(u machine.Units) error { return u.StartUnit(t.Context(), name) }},
		{at: "RestartUnit", ask: func(u machine.Units) error { return u.RestartUnit(t.Context(), name) }},
		{at: "StopUnit", ask: func(u machine.Units) error { return u.StopUnit(t.Context(), name) }},
		{after: "StopUnit", ask: func(u machine.Units) error { return u.StopUnit(t.Context(), name) }},
		{at: "EnableUnitFiles", ask: func(u machine.Units) error { return u.EnableUnit(t.Context(), name) }},
		{at: "DisableUnitFiles", ask: func(u machine.Units) error { return u.DisableUnit(t.Context(), name) }},
	} {
		t.Run(tt.at+tt.after, func(t *testing.T) {
			b, m := withSystemd(t)
			b.diesAt, b.diesOf = tt.at, tt.after
			start := time.Now()
			err := tt.ask(m.Units)
			if took := time.Since(start); err == nil || !strings.Contains(err.Error(), "the connection to systemd was closed") || took > soon {
				t.Errorf("after %s: %v", took, err)
			}
		})
	}
}
