package contract

import (
	"io/fs"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// UnitWorld is a host whose init is systemd. It has no unit of the contract's.
type UnitWorld interface {
	Machine() *machine.Machine
	PutFile(path, content string)
	PutLink(path, target string)
	Delete(path string)
}

type unitSentence struct {
	says  string
	prove func(t *testing.T, w UnitWorld, m *machine.Machine)
}

// The unit of the contract.
const (
	// UnitName is the name of the one unit that sentences make.
	UnitName = "contract.service"
	unitPath = "/etc/systemd/system/" + UnitName
	unitLink = "/etc/systemd/system/multi-user.target.wants/" + UnitName
	unitText = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"
	neverSet = "[Service]\nType=notify\nTimeoutStartSec=infinity\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"
)

// RunUnits proves every sentence about units on a world of its own.
func RunUnits(t *testing.T, world func(*testing.T) UnitWorld) {
	for _, s := range unitSentences {
		t.Run(s.says, func(t *testing.T) {
			w := world(t)
			s.prove(t, w, w.Machine())
		})
	}
}

var unitSentences = []unitSentence{
	{"systemd runs", func(t *testing.T, _ UnitWorld, m *machine.Machine) {
		if !m.Units.SystemdRuns() {
			t.Error("it does not")
		}
	}},
	{"a unit that is absent can be neither enabled nor started", func(t *testing.T, _ UnitWorld, m *machine.Machine) {
		if u := unit(t, m); u.State != machine.UnitAbsent || u.Running || u.MainPID != 0 || u.NeedsReload {
			t.Errorf("%+v", u)
		}
		fails(t, "enable", m.Units.EnableUnit(t.Context(), UnitName), fs.ErrNotExist)
		fails(t, "start", m.Units.StartUnit(t.Context(), UnitName), fs.ErrNotExist)
		works(t, "disable", m.Units.DisableUnit(t.Context(), UnitName))
		works(t, "stop", m.Units.StopUnit(t.Context(), UnitName))
	}},
	{"a unit is enabled and disabled, and leaves no link", func(t *testing.T, w UnitWorld, m *machine.Machine) {
		w.PutFile(unitPath, unitText)
		for range 2 {
			state(t, m, machine.UnitDisabled)
			works(t, "enable", m.Units.EnableUnit(t.Context(), UnitName))
			works(t, "enable again", m.Units.EnableUnit(t.Context(), UnitName))
			state(t, m, machine.UnitEnabled)
			there(t, m, unitLink, true)
			works(t, "disable", m.Units.DisableUnit(t.Context(), UnitName))
			works(t, "disable again", m.Units.DisableUnit(t.Context(), UnitName))
			there(t, m, unitLink, false)
		}
	}},
	{"a link to /dev/null and an empty file mask", func(t *testing.T, w UnitWorld, m *machine.Machine) {
		for what, put := range map[string]func(){
			"link": func() { w.PutLink(unitPath, "/dev/null") },
			"file": func() { w.PutFile(unitPath, "") },
		} {
			put()
			works(t, "reload", m.Units.ReloadUnits(t.Context()))
			state(t, m, machine.UnitMasked)
			fails(t, what+": enable", m.Units.EnableUnit(t.Context(), UnitName), machine.ErrMasked)
			fails(t, what+": start", m.Units.StartUnit(t.Context(), UnitName), machine.ErrMasked)
			works(t, what+": disable", m.Units.DisableUnit(t.Context(), UnitName))
			w.Delete(unitPath)
		}
	}},
	{"a unit is started, started anew and stopped", func(t *testing.T, w UnitWorld, m *machine.Machine) {
		w.PutFile(unitPath, unitText)
		works(t, "reload", m.Units.ReloadUnits(t.Context()))
		works(t, "start", m.Units.StartUnit(t.Context(), UnitName))
		works(t, "start again", m.Units.StartUnit(t.Context(), UnitName))
		first := starts(t, m, 0)
		works(t, "restart", m.Units.RestartUnit(t.Context(), UnitName))
		starts(t, m, first)
		works(t, "stop", m.Units.StopUnit(t.Context(), UnitName))
		works(t, "stop again", m.Units.StopUnit(t.Context(), UnitName))
		if u := unit(t, m); u.Running || u.MainPID != 0 {
			t.Errorf("stopped: %+v", u)
		}
	}},
	{"nobody waits for a unit that does not get ready", func(t *testing.T, w UnitWorld, m *machine.Machine) {
		w.PutFile(unitPath, neverSet)
		works(t, "reload", m.Units.ReloadUnits(t.Context()))
		works(t, "start", m.Units.StartUnit(t.Context(), UnitName))
		starts(t, m, 0)
		works(t, "stop", m.Units.StopUnit(t.Context(), UnitName))
	}},
	{"what changed on disk needs a reload", func(t *testing.T, w UnitWorld, m *machine.Machine) {
		w.PutFile(unitPath, unitText)
		works(t, "reload", m.Units.ReloadUnits(t.Context()))
		works(t, "start", m.Units.StartUnit(t.Context(), UnitName))
		needs(t, m, false)
		dropIn := unitPath + ".d/10-a.conf"
		w.PutFile(dropIn, "[Service]\nRestart=always\n") // systemd does not notice a new folder by itself
		works(t, "reload", m.Units.ReloadUnits(t.Context()))
		for _, change := range []func(){
			func() { w.PutFile(dropIn, "[Service]\nRestart=no\n") },
			func() { w.PutFile(unitPath, unitText+"# more\n") },
			func() { w.Delete(dropIn) },
		} {
			change()
			needs(t, m, true)
			works(t, "reload", m.Units.ReloadUnits(t.Context()))
			needs(t, m, false)
		}
		works(t, "stop", m.Units.StopUnit(t.Context(), UnitName))
	}},
	{"a unit whose file is gone can be stopped", func(t *testing.T, w UnitWorld, m *machine.Machine) {
		w.PutFile(unitPath, unitText)
		works(t, "reload", m.Units.ReloadUnits(t.Context()))
		works(t, "start", m.Units.StartUnit(t.Context(), UnitName))
		starts(t, m, 0)
		w.Delete(unitPath)
		state(t, m, machine.UnitAbsent)
		works(t, "stop", m.Units.StopUnit(t.Context(), UnitName))
		works(t, "reload", m.Units.ReloadUnits(t.Context()))
		if u := unit(t, m); u.Running {
			t.Errorf("%+v", u)
		}
	}},
}

func unit(t *testing.T, m *machine.Machine) machine.Unit {
	t.Helper()
	u, err := m.Units.Unit(t.Context(), UnitName)
	works(t, "look at the unit", err)
	return u
}

// starts waits until the unit runs with another process than the given one.
func starts(t *testing.T, m *machine.Machine, before int) int {
	t.Helper()
	timeout, tick := time.After(20*time.Second), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for {
		u := unit(t, m)
		if u.Running && u.MainPID != 0 && u.MainPID != before {
			return u.MainPID
		}
		select {
		case <-tick.C:
		case <-timeout:
			t.Fatalf("it does not start: %+v", u)
		}
	}
}

func state(t *testing.T, m *machine.Machine, want machine.UnitState) {
	t.Helper()
	if u := unit(t, m); u.State != want {
		t.Errorf("the unit is %q, want %q", u.State, want)
	}
}

func needs(t *testing.T, m *machine.Machine, want bool) {
	t.Helper()
	if u := unit(t, m); u.NeedsReload != want {
		t.Errorf("needs a reload: %t, want %t", u.NeedsReload, want)
	}
}
