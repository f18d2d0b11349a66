package hostops_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const (
	installed   = paths.ProgramDir + "/" + paths.ProgramName
	kubeletGate = "/etc/systemd/system/kubelet.service.d/10-hostprofile.conf"
)

// booted is a host of systemd's, on which somebody runs bootstrap from his home.
func booted() *fake.Host {
	h := fake.New(fake.HasSystemd())
	h.SetSelf("/home/ann/bootstrap", "program 1")
	return h
}

func yes(b bool) *bool         { return &b }
func word(s string) *string    { return &s }
func withUnit() unitOptions    { return unitOptions{Install: yes(true)} }
func withoutUnit() unitOptions { return unitOptions{Install: yes(false)} }

type unitOptions = hostops.UnitOptions

// openWith opens the host as a new process that was told something about the unit.
func openWith(t *testing.T, h *fake.Host, o unitOptions) *hostops.Host {
	t.Helper()
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: h.Machine(), Version: "test", Holder: "test", Unit: o})
	if err != nil {
		t.Fatal(err)
	}
	return host
}

// upWith is one `up` that must reach all that it wishes.
func upWith(t *testing.T, h *fake.Host, o unitOptions) item.Report {
	t.Helper()
	r, err := openWith(t, h, o).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &r)
	return r
}

func reached(t *testing.T, r *item.Report) {
	t.Helper()
	for _, s := range r.Stages {
		if s.Err != nil {
			t.Errorf("%s: %v", s.Stage, s.Err)
		}
		for _, res := range s.Results {
			if !res.OK() {
				t.Errorf("%s: %s %s: %s", res.Key, res.Outcome, res.Reason, res.Message)
			}
		}
	}
}

// gone is a `down` that must leave the host as it was.
func gone(t *testing.T, h *fake.Host, before string) {
	t.Helper()
	r, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &r)
	if after := settled(h); after != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", after, before)
	}
}

// settled is the host without what a boot makes anew and a module that stays.
func settled(h *fake.Host) string {
	var kept []string
	for line := range strings.Lines(withoutBoot(h.String())) {
		if !strings.HasPrefix(line, "module ") && !strings.HasPrefix(line, "link ") || strings.HasPrefix(line, "link /") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func content(h *fake.Host, path string) string {
	text, _ := h.File(path)
	return text
}

func TestUpInstallsTheUnitAndDownTakesItBack(t *testing.T) {
	h := booted()
	before := settled(h)
	upWith(t, h, withUnit())
	if got := content(h, installed); got != "program 1" {
		t.Errorf("the copy holds %q", got)
	}
	if got := content(h, paths.UnitFile); !strings.Contains(got, "\nExecStart="+installed+" run\n") {
		t.Errorf("the unit holds\n%s", got)
	}
	for _, kubelet := range paths.KubeletUnits {
		gate := "/etc/systemd/system/" + kubelet + ".d/10-hostprofile.conf"
		if got := content(h, gate); !strings.HasSuffix(got, ` gate' hostprofile `+installed+"\n") {
			t.Errorf("%s holds\n%s", gate, got)
		}
	}
	if got := h.RunningUnits(); !slices.Equal(got, []string{paths.Unit}) {
		t.Errorf("running: %v", got)
	}
	if enabled, err := open(t, h).UnitEnabled(t.Context()); !enabled || err != nil {
		t.Errorf("enabled: %t, %v", enabled, err)
	}
	mutations := h.Mutations()
	upWith(t, h, unitOptions{})
	if n := h.Mutations() - mutations; n > 0 {
		t.Errorf("the second run, which was told nothing, changes %d things", n)
	}
	h.Reboot()
	if got := h.RunningUnits(); !slices.Equal(got, []string{paths.Unit}) {
		t.Errorf("running after a boot: %v", got)
	}
	gone(t, h, before)
}

func TestUpStartsAUnitThatEndedAndRenewsAnOldOne(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	h.EndUnit(paths.Unit)
	upWith(t, h, unitOptions{})
	first, _ := open(t, h).UnitMainPID(t.Context())
	if first == 0 {
		t.Fatal("it was not started again")
	}
	h.SetSelf("/home/ann/bootstrap", "program 2")
	upWith(t, h, unitOptions{})
	if got := content(h, installed); got != "program 2" {
		t.Errorf("the copy holds %q", got)
	}
	if second, _ := open(t, h).UnitMainPID(t.Context()); second == first {
		t.Error("the old program runs on")
	}
}

// TestTheChoicesAreKept: a later up that is told nothing does what the first was told.
func TestTheChoicesAreKept(t *testing.T) {
	h := booted()
	before := settled(h)
	const there = "/srv/tools/bin/bootstrap"
	upWith(t, h, unitOptions{Install: yes(true), Gate: yes(false), ProgramDir: word("/srv/tools/bin")})
	upWith(t, h, unitOptions{})
	if content(h, there) == "" || content(h, installed) != "" || content(h, kubeletGate) != "" {
		t.Errorf("the host is\n%s", h)
	}
	upWith(t, h, unitOptions{Gate: yes(true), ProgramDir: word("")})
	if content(h, there) != "" || content(h, installed) == "" || !strings.Contains(content(h, kubeletGate), installed) {
		t.Errorf("told otherwise:\n%s", h)
	}
	upWith(t, h, withoutUnit())
	upWith(t, h, unitOptions{})
	if content(h, paths.UnitFile) != "" || content(h, installed) != "" || len(h.RunningUnits()) > 0 {
		t.Errorf("told to have none:\n%s", h)
	}
	gone(t, h, before)
}

func TestDownRemovesTheCopyFromWhereverItIs(t *testing.T) {
	h := booted()
	h.PutFile(installed, "somebody's")
	before := settled(h)
	upWith(t, h, unitOptions{Install: yes(true), ProgramDir: word("/srv/x")})
	gone(t, h, before)
}

func TestAProgramThatSomebodyInstalledIsRunAsItIs(t *testing.T) {
	for where, choice := range map[string]string{paths.PackagedProgram: "", installed: "", "/srv/bin/bootstrap": "/srv/bin"} {
		h := fake.New(fake.HasSystemd())
		h.SetSelf(where, "program")
		before := settled(h)
		upWith(t, h, unitOptions{Install: yes(true), ProgramDir: word(choice)})
		if !strings.Contains(content(h, paths.UnitFile), "ExecStart="+where+" run\n") {
			t.Errorf("%s: %s", where, content(h, paths.UnitFile))
		}
		gone(t, h, before)
	}
}

func TestTheProgramGoesIntoOptWhereUsrIsReadOnly(t *testing.T) {
	h := booted()
	h.MountReadOnly("/usr", true)
	before := settled(h)
	upWith(t, h, withUnit())
	if content(h, "/opt/hostprofile/bin/bootstrap") == "" {
		t.Errorf("the host is\n%s", h)
	}
	gone(t, h, before)
}

// TestAProgramThatCannotBeInstalledIsAFailure: settings are in force all the same, and
// nothing of the unit is written.
func TestAProgramThatCannotBeInstalledIsAFailure(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*fake.Host)
		dir   string
	}{
		"another program":   {func(h *fake.Host) { h.PutFile(installed, "somebody's") }, ""},
		"a folder of /tmp":  {func(*fake.Host) {}, "/tmp/x"},
		"a home":            {func(*fake.Host) {}, "/home/me/bin"},
		"somebody's folder": {func(h *fake.Host) { h.PutDir("/srv/x", 0o755); h.Chown("/srv/x", 1000, 1000) }, "/srv/x"},
		"everybody's":       {func(h *fake.Host) { h.PutDir("/srv/x", 0o777) }, "/srv/x"},
		"relative":          {func(*fake.Host) {}, "bin"},
		"unknown":           {func(h *fake.Host) { h.Delete("/home/ann/bootstrap") }, ""},
	} {
		h := booted()
		c.spoil(h)
		r, err := openWith(t, h, unitOptions{Install: yes(true), ProgramDir: &c.dir}).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for _, res := range r.Results() {
			if res.Outcome == item.Failed && res.Key == "unit/hostprofile.service" && res.Reason == "ProgramNotInstallable" && res.Message != "" {
				failed++
			}
		}
		if failed != 1 || content(h, paths.UnitFile) != "" || content(h, kubeletGate) != "" || value(h, "vm/swappiness") != "10" {
			t.Errorf("%s: %d failures\n%s", name, failed, h)
		}
	}
}

// TestAMaskedUnitIsLeftMasked: nothing of ours stands in front of a kubelet then.
func TestAMaskedUnitIsLeftMasked(t *testing.T) {
	for _, installedBefore := range []bool{false, true} {
		h := booted()
		if installedBefore {
			upWith(t, h, withUnit())
		}
		h.PutLink(paths.UnitFile, "/dev/null")
		for range 2 {
			upWith(t, h, withUnit())
			if !strings.Contains(h.String(), "link "+paths.UnitFile+" -> /dev/null") || content(h, kubeletGate) != "" {
				t.Errorf("installed before %t:\n%s", installedBefore, h)
			}
		}
		if enabled, err := open(t, h).UnitEnabled(t.Context()); enabled || err != nil {
			t.Errorf("enabled %t, %v", enabled, err)
		}
		if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, there := h.File(paths.Ledger); there || !strings.Contains(h.String(), "-> /dev/null") {
			t.Errorf("after down:\n%s", h)
		}
	}
}

// TestEveryRunLooksAtTheUnitAnew: what an earlier run of the same process saw is past.
func TestEveryRunLooksAtTheUnitAnew(t *testing.T) {
	h := booted()
	h.PutLink(paths.UnitFile, "/dev/null")
	host := openWith(t, h, withUnit())
	for _, masked := range []bool{true, true, false} {
		if !masked {
			h.Delete(paths.UnitFile)
		}
		r, err := host.Plan(t.Context(), site(t, swappiness))
		if err != nil {
			t.Fatal(err)
		}
		planned := slices.ContainsFunc(r.Results(), func(res item.Result) bool { return res.Key == "unit/hostprofile.service" })
		if planned == masked || host.UnitMasked() != masked {
			t.Errorf("masked %t: the unit is planned %t, and said to be masked %t", masked, planned, host.UnitMasked())
		}
	}
}

func TestAnEmptyUnitOfOursIsWrittenAgain(t *testing.T) {
	h := booted()
	before := settled(h)
	upWith(t, h, withUnit())
	h.PutFile(paths.UnitFile, "") // as a power cut can leave it
	upWith(t, h, unitOptions{})
	if content(h, paths.UnitFile) == "" {
		t.Error("it is still empty")
	}
	gone(t, h, before)
}

func TestSystemdIsToldOfWhatChangedOnDisk(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	reload := func() int {
		n := 0
		for _, m := range h.Log() {
			if m.Op == "reload" {
				n++
			}
		}
		return n
	}
	for name, change := range map[string]func(){
		"nothing":             func() {},
		"a drop-in of others": func() { h.PutFile("/etc/systemd/system/hostprofile.service.d/a.conf", "[Service]\nNice=1\n") },
		"a note of a run":     func() { h.PutFile(paths.ReloadUnits, "1\n") },
		"our file":            func() { h.PutFile(paths.UnitFile, "[Service]\n") },
	} {
		change()
		h.KeepLog()
		upWith(t, h, unitOptions{})
		if got, want := reload(), name != "nothing"; (got > 0) != want || got > 1 {
			t.Errorf("%s: %d reloads", name, got)
		}
		if _, there := h.File(paths.ReloadUnits); there {
			t.Errorf("%s: the note is still there", name)
		}
	}
	if content(h, "/etc/systemd/system/hostprofile.service.d/a.conf") == "" {
		t.Error("somebody's drop-in is gone")
	}
}

func TestWithoutSystemdThereIsNoUnit(t *testing.T) {
	h := fake.New()
	h.SetSelf("/home/ann/bootstrap", "program")
	before := settled(h)
	upWith(t, h, withUnit())
	if content(h, installed) != "" || content(h, paths.UnitFile) != "" {
		t.Errorf("the host is\n%s", h)
	}
	gone(t, h, before)
}

// TestTheAgentLeavesTheUnitAlone: it neither repairs it nor gives it back, with folders.
func TestTheAgentLeavesTheUnitAlone(t *testing.T) {
	h := booted()
	h.PutDir("/etc/systemd/system/k3s.service.d", 0o755)
	before := settled(h)
	upWith(t, h, unitOptions{Install: yes(true), ProgramDir: word("/srv/a/b")})
	mutations := h.Mutations()
	rec, err := open(t, h).Reconcile(t.Context(), nil, hostops.ReconcileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range rec.Report.Results() {
		if res.Outcome != item.Right {
			t.Errorf("%s is %s", res.Key, res.Outcome)
		}
	}
	if n := h.Mutations() - mutations; n > 0 {
		t.Errorf("the agent changes %d things", n)
	}
	gone(t, h, before)
}

func TestALostRecordIsAdoptedWithTheUnit(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	h.Delete(paths.Ledger)
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Adopt: true}); err != nil {
		t.Fatal(err)
	}
	if content(h, paths.UnitFile) != "" || content(h, kubeletGate) != "" || len(h.RunningUnits()) > 0 {
		t.Errorf("after down:\n%s", h)
	}
}

func TestADryRunTellsOfTheUnitAndWritesNothing(t *testing.T) {
	h := booted()
	before := h.String()
	r, err := openWith(t, h, withUnit()).Plan(t.Context(), site(t, swappiness))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Results(), func(res item.Result) bool {
		return res.Key == "unit/hostprofile.service" && res.Outcome == item.Changed
	}) || h.String() != before {
		t.Errorf("%+v", r.Stages)
	}
}

// TestAUnitOfThisNameThatWasThereIsGivenBack: its text, and that boots start it.
func TestAUnitOfThisNameThatWasThereIsGivenBack(t *testing.T) {
	h := booted()
	h.PutFile(paths.UnitFile, "[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n")
	if err := open(t, h).EnableUnit(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := settled(h)
	upWith(t, h, withUnit())
	gone(t, h, before)
}
