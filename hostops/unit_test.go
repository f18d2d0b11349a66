package hostops_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

var command = []string{"/opt/my tools/bootstrap", "run", "--config", "/etc/a b/100%.yaml", "$HOME", "", ";"}

// withCommand is a host on which the unit runs command.
func withCommand(t *testing.T) *fake.Host {
	t.Helper()
	h := booted()
	if err := open(t, h).InstallUnit(t.Context(), command); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestInstallUnitIsReadBackAndTakenBack(t *testing.T) {
	before := settled(booted())
	h := withCommand(t)
	host := open(t, h)
	argv, err := host.UnitArgv(t.Context())
	if err != nil || !slices.Equal(argv, command) {
		t.Errorf("%q, %v", argv, err)
	}
	if program, err := host.UnitExecPath(t.Context()); err != nil || program != command[0] {
		t.Errorf("%q, %v", program, err)
	}
	if enabled, err := host.UnitEnabled(t.Context()); !enabled || err != nil {
		t.Errorf("enabled %t, %v", enabled, err)
	}
	mutations := h.Mutations()
	if err := host.InstallUnit(t.Context(), command); err != nil || h.Mutations() > mutations {
		t.Errorf("again: %d changes, %v", h.Mutations()-mutations, err)
	}
	gone(t, h, before)
}

func TestInstallUnitRefusesWhatItCannotWrite(t *testing.T) {
	h := booted()
	before := h.String()
	for _, argv := range [][]string{nil, {"bootstrap"}, {"/bin/x", "a\nb"}} {
		if err := open(t, h).InstallUnit(t.Context(), argv); err == nil || h.String() != before {
			t.Errorf("%q: %v", argv, err)
		}
	}
}

func TestInstallUnitLeavesAMask(t *testing.T) {
	h := booted()
	h.PutLink(paths.UnitFile, "/dev/null")
	err := open(t, h).InstallUnit(t.Context(), command)
	if e, ok := errors.AsType[*item.Error](err); !ok || e.Reason != "UnitMasked" || !errors.Is(err, machine.ErrMasked) || !strings.Contains(h.String(), "-> /dev/null") {
		t.Errorf("%v\n%s", err, h)
	}
}

// TestWithoutAUnitThereIsNothingToDo: rollback and uninstall call these whatever there is.
func TestWithoutAUnitThereIsNothingToDo(t *testing.T) {
	for name, h := range map[string]*fake.Host{"no unit": booted(), "no systemd": fake.New()} {
		before := h.String()
		host := open(t, h)
		for what, do := range map[string]func() error{
			"enable":   func() error { return host.EnableUnit(t.Context()) },
			"disable":  func() error { return host.DisableUnit(t.Context()) },
			"stop":     func() error { return host.StopUnit(t.Context()) },
			"restart":  func() error { return host.RestartUnit(t.Context()) },
			"suppress": func() error { return host.SuppressRestart(t.Context()) },
			"allow":    func() error { return host.AllowRestart(t.Context()) },
			"reload":   func() error { return host.ReloadSystemd(t.Context()) },
		} {
			if err := do(); err != nil || h.String() != before {
				t.Errorf("%s: %s: %v\n%s", name, what, err, h)
			}
		}
		if enabled, err := host.UnitEnabled(t.Context()); enabled || err != nil {
			t.Errorf("%s: enabled %t, %v", name, enabled, err)
		}
		if pid, err := host.UnitMainPID(t.Context()); pid != 0 || err != nil {
			t.Errorf("%s: process %d, %v", name, pid, err)
		}
		if _, err := host.UnitArgv(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: command line: %v", name, err)
		}
	}
	if h := fake.New(); open(t, h).SystemdAvailable(t.Context()) || open(t, h).InstallUnit(t.Context(), command) != nil {
		t.Error("without systemd a unit is installed")
	}
}

// TestASystemdThatDoesNotAnswerIsAnError: what it is to forget, it may still do.
func TestASystemdThatDoesNotAnswerIsAnError(t *testing.T) {
	h := withCommand(t)
	host := open(t, h)
	h.FailSystemd(machine.ErrNoSystemd)
	for what, err := range map[string]error{
		"disable": host.DisableUnit(t.Context()), "stop": host.StopUnit(t.Context()), "suppress": host.SuppressRestart(t.Context()),
		"allow": host.AllowRestart(t.Context()), "install": host.InstallUnit(t.Context(), []string{"/x"}),
	} {
		if !errors.Is(err, machine.ErrNoSystemd) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, enabled := host.UnitEnabled(t.Context())
	_, pid := host.UnitMainPID(t.Context())
	if enabled == nil || pid == nil {
		t.Errorf("enabled: %v, process: %v", enabled, pid)
	}
}

func TestRestartIsSuppressedForThisBootOnly(t *testing.T) {
	h := withCommand(t)
	host := open(t, h)
	before := h.String()
	if err := host.SuppressRestart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(content(h, paths.NoRestart), "[Service]\nRestart=no\n") || !strings.HasPrefix(paths.NoRestart, "/run/systemd/system/"+paths.Unit+".d/") {
		t.Errorf("%s holds %q", paths.NoRestart, content(h, paths.NoRestart))
	}
	if enabled, _ := host.UnitEnabled(t.Context()); !enabled {
		t.Error("boots do not start it any more")
	}
	if err := host.AllowRestart(t.Context()); err != nil || h.String() != before {
		t.Errorf("%v\n%s", err, h)
	}
	// An earlier call may have removed the file, and no more.
	h.KeepLog()
	if err := host.AllowRestart(t.Context()); err != nil || len(h.Log()) != 1 || h.Log()[0].Op != "reload" {
		t.Errorf("%v, %v", h.Log(), err)
	}
}

func TestADropInWithACommandLineIsNamed(t *testing.T) {
	const own = "/etc/systemd/system/hostprofile.service.d/override.conf"
	for name, c := range map[string]struct {
		put  func(*fake.Host)
		file string // that is named; empty: no error
	}{
		"command":         {func(h *fake.Host) { h.PutFile(own, "[Service]\nExecStart=\nExecStart=/x\n") }, own},
		"other setting":   {func(h *fake.Host) { h.PutFile(own, "[Service]\nNice=1\n") }, ""},
		"no drop-in":      {func(h *fake.Host) { h.PutFile(own+".old", "[Service]\nExecStart=/x\n") }, ""},
		"dangling link":   {func(h *fake.Host) { h.PutLink(own, "/nowhere") }, ""},
		"masked":          {func(h *fake.Host) { h.PutLink(own, "/dev/null") }, ""},
		"of all services": {func(h *fake.Host) { h.PutFile("/run/systemd/system/service.d/a.conf", "[Service]\nExecStart=/x\n") }, "/run/systemd/system/service.d/a.conf"},
		"of the run": {func(h *fake.Host) {
			h.PutFile("/run/systemd/system/hostprofile.service.d/a.conf", "[Service]\nExecStart=/x\n")
		}, "a.conf"},
		"hidden by a file": {func(h *fake.Host) {
			h.PutFile(own, "")
			h.PutFile("/usr/lib/systemd/system/hostprofile.service.d/override.conf", "[Service]\nExecStart=/x\n")
		}, ""},
	} {
		h := withCommand(t)
		c.put(h)
		_, err := open(t, h).UnitArgv(t.Context())
		if c.file == "" && err != nil || c.file != "" && (err == nil || !strings.Contains(err.Error(), c.file)) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAMaskedUnitHasNoCommandLine(t *testing.T) {
	for name, mask := range map[string]func(*fake.Host){
		"link":  func(h *fake.Host) { h.PutLink(paths.UnitFile, "/dev/null") },
		"empty": func(h *fake.Host) { h.PutFile(paths.UnitFile, "") },
	} {
		h := withCommand(t)
		mask(h)
		if _, err := open(t, h).UnitArgv(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// steps are the calls of a `down` about the unit and the settings, in order.
func steps(h *fake.Host) (out []string) {
	for _, m := range h.Log() {
		step := m.Op
		switch m.Path {
		case paths.Disabled, paths.UnitFile, paths.Ledger, paths.NoRestart, "vm/swappiness", installed, kubeletGate:
			step += " " + m.Path
		case paths.Unit, "systemd":
		default:
			continue
		}
		if step != "write "+paths.Ledger {
			out = append(out, step)
		}
	}
	return out
}

func TestDownTakesTheUnitAwayInOrder(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	h.KeepLog()
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"write " + paths.Disabled, "disable", "write " + paths.NoRestart, "reload", "sysctl vm/swappiness", "stop",
		"remove " + paths.UnitFile, "remove " + kubeletGate, "remove " + installed, "remove " + paths.NoRestart, "reload", "remove " + paths.Ledger,
	}
	if got := steps(h); !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestADownThatFailsLetsTheUnitGoOn: it runs as before, and boots start it if they did.
func TestADownThatFailsLetsTheUnitGoOn(t *testing.T) {
	for _, enabled := range []bool{true, false} {
		h := booted()
		before := settled(h)
		upWith(t, h, withUnit())
		if !enabled {
			if err := open(t, h).DisableUnit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		h.FailSysctlWrite("vm/swappiness", fs.ErrPermission)
		for range 2 { // the second time, boots do not start it when it begins
			r, err := open(t, h).Down(t.Context(), hostops.DownOptions{})
			if err != nil || failures(&r) == 0 {
				t.Errorf("%d failures, %v", failures(&r), err)
			}
			if got, _ := open(t, h).UnitEnabled(t.Context()); got != enabled {
				t.Errorf("boots start it: %t, before %t", got, enabled)
			}
			if len(h.RunningUnits()) == 0 || content(h, paths.UnitFile) == "" || content(h, paths.NoRestart) != "" || content(h, paths.Disabled) == "" {
				t.Errorf("the host is\n%s", h)
			}
		}
		h.EndFaults()
		gone(t, h, before)
	}
}

func failures(r *item.Report) (n int) {
	for _, res := range r.Results() {
		if !res.OK() {
			n++
		}
	}
	return n
}

// TestADownThatDiedIsGoneOnWith: whatever step it dies at, killed or with the power cut.
func TestADownThatDiedIsGoneOnWith(t *testing.T) {
	h := booted()
	before := settled(h)
	upWith(t, h, withUnit())
	down := func(host *hostops.Host) error {
		_, err := host.Down(t.Context(), hostops.DownOptions{Purge: true})
		return err
	}
	crashes(t, h, down, func(c *fake.Host, at int) {
		opens(t, c, at)
		failsAndGoesOn(t, c.Clone(), at)
		again := c.Clone()
		gone(t, c, before)
		upWith(t, again, withUnit()) // or it is taken back
		if content(again, paths.NoRestart) != "" || content(again, paths.Disabled) != "" || !slices.Equal(again.RunningUnits(), []string{paths.Unit}) {
			t.Errorf("after up:\n%s", again)
		}
		if u, err := again.Machine().Units.Unit(t.Context(), paths.Unit); err != nil || u.NeedsReload || u.State != machine.UnitEnabled {
			t.Errorf("after up: %+v, %v", u, err)
		}
		gone(t, again, before)
	})
}

// TestAnUpThatDiedIsGoneOnWith and needs no more than one other run.
func TestAnUpThatDiedIsGoneOnWith(t *testing.T) {
	h := booted()
	before := settled(h)
	first := func(host *hostops.Host) error {
		_, err := host.Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
		return err
	}
	crashesWith(t, h, hostops.Options{Unit: withUnit()}, first, func(c *fake.Host, at int) {
		opens(t, c, at)
		upWith(t, c, withUnit())
		mutations := c.Mutations()
		upWith(t, c, unitOptions{})
		if n := c.Mutations() - mutations; n > 0 {
			t.Errorf("step %d: the run after the next changes %d things", at, n)
		}
		if !slices.Equal(c.RunningUnits(), []string{paths.Unit}) || content(c, installed) != "program 1" {
			t.Errorf("step %d:\n%s", at, c)
		}
		if _, there := c.File(paths.ReloadUnits); there {
			t.Errorf("step %d: systemd was not told", at)
		}
		gone(t, c, before)
	})
}

// TestAnUpWithoutTheUnitThatDiedIsGoneOnWith: the unit goes as it does with the host.
func TestAnUpWithoutTheUnitThatDiedIsGoneOnWith(t *testing.T) {
	h := booted()
	before := settled(h)
	upWith(t, h, withUnit())
	retire := func(host *hostops.Host) error {
		_, err := host.Up(t.Context(), nil, hostops.UpOptions{})
		return err
	}
	crashesWith(t, h, hostops.Options{Unit: withoutUnit()}, retire, func(c *fake.Host, at int) {
		opens(t, c, at)
		upWith(t, c, withoutUnit())
		if strings.Contains(c.String(), paths.UnitFile) || len(c.RunningUnits()) > 0 || content(c, installed) != "" || content(c, kubeletGate) != "" {
			t.Errorf("step %d:\n%s", at, c)
		}
		gone(t, c, before)
	})
}

// opens holds every gate against what opens it at the next boot: its program is there, and
// either boots start the unit or the marker says that none is needed.
func opens(t *testing.T, h *fake.Host, at int) {
	t.Helper()
	if content(h, kubeletGate) == "" {
		return
	}
	if content(h, installed) == "" {
		t.Errorf("step %d: the program of the gate is gone", at)
	}
	enabled, err := open(t, h).UnitEnabled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, marked := h.File(paths.Disabled); !enabled && !marked {
		t.Errorf("step %d: a boot would never open the gate", at)
	}
}

// failsAndGoesOn is a `down` that goes on after one that died, and fails: boots start the
// unit again, although they do not when it begins.
func failsAndGoesOn(t *testing.T, h *fake.Host, at int) {
	t.Helper()
	if value(h, "vm/swappiness") != "10" || content(h, paths.Disabled) == "" {
		return
	}
	h.FailSysctlWrite("vm/swappiness", fs.ErrPermission)
	if r, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil || failures(&r) == 0 {
		return // it was to be given back already
	}
	if enabled, err := open(t, h).UnitEnabled(t.Context()); !enabled || err != nil {
		t.Errorf("step %d: after a down that fails, boots start the unit: %t, %v", at, enabled, err)
	}
}
