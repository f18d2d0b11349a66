package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// newSystemd is a host of systemd's, on which somebody runs bootstrap from his home.
func newSystemd(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, fake.HasSystemd())
	w.host.SetSelf("/home/ann/bootstrap", "program")
	return w
}

func TestTheUnitIsToldOf(t *testing.T) {
	w := newSystemd(t)
	for _, c := range []struct {
		golden, args string
		code         exit.Code
	}{
		{"unit-plan.txt", "plan --profile kubernetes", 0},
		{"unit-check.txt", "check --profile kubernetes", 1},
		{"unit-up.txt", "up --profile kubernetes", 0},
		{"unit-up-again.txt", "up", 0},
		{"unit-status.txt", "status", 0},
		{"unit-down-dry-run.txt", "down --dry-run", 0},
		{"unit-down.txt", "down --yes", 0},
	} {
		golden(t, c.golden, w.must(c.code, strings.Fields(c.args)...))
	}
}

func TestFlagsOfTheUnitAreKept(t *testing.T) {
	w := newSystemd(t)
	w.must(0, "up", "--profile", "kubernetes", "--bin-dir", "/srv/bin", "--no-gate")
	w.must(0, "up")
	unit, _ := w.host.File(paths.UnitFile)
	if _, gate := w.host.File("/etc/systemd/system/kubelet.service.d/10-hostprofile.conf"); gate || !strings.Contains(unit, "ExecStart=/srv/bin/bootstrap run") {
		t.Errorf("gate %t, unit\n%s", gate, unit)
	}
	w.must(0, "up", "--no-unit")
	w.must(0, "up")
	if _, there := w.host.File(paths.UnitFile); there {
		t.Error("the unit is still there")
	}
	if a := w.must(0, "status"); strings.Contains(a.stdout, "NoBootUnit") {
		t.Errorf("what was told is a worry: %s", a.stdout)
	}
	w.must(0, "up", "--no-unit=false", "--no-gate=false")
	if _, gate := w.host.File("/etc/systemd/system/kubelet.service.d/10-hostprofile.conf"); !gate {
		t.Error("there is no gate again")
	}
}

func TestWhyNothingPreparesTheHostAtBoot(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*world)
		code  int
		word  string
	}{
		"masked":      {func(w *world) { w.host.PutLink(paths.UnitFile, "/dev/null") }, 0, "is masked, and left so"},
		"disabled":    {func(w *world) { w.host.Delete(paths.UnitLink) }, 1, "boots do not start it"},
		"not systemd": {func(w *world) { *w = *newWorld(t) }, 0, "systemd is not the init"},
	} {
		w := newSystemd(t)
		if name != "disabled" {
			c.spoil(w)
		}
		a := w.must(0, "up", "--profile", "kubernetes")
		if name == "disabled" {
			c.spoil(w)
		} else if name == "masked" && !strings.Contains(a.stdout, c.word) {
			t.Errorf("%s: up says %s", name, a.stdout)
		}
		if a := w.run("status"); int(a.code) != c.code || !strings.Contains(a.stdout, c.word) {
			t.Errorf("%s: status ends with %d and says %s", name, a.code, a.stdout)
		}
	}
}

func TestAProgramInTheWayIsNamed(t *testing.T) {
	w := newSystemd(t)
	w.host.PutFile("/usr/local/bin/bootstrap", "somebody's")
	golden(t, "unit-fails.txt", w.must(1, "up", "--profile", "kubernetes"))
}

func TestACleanHostIsTold(t *testing.T) {
	w := newSystemd(t)
	w.must(0, "status", "--expect-clean")
	w.must(0, "up", "--profile", "kubernetes")
	w.host.Delete(paths.Ledger)
	golden(t, "unit-unclean.txt", w.must(1, "status", "--expect-clean"))
	w.must(0, "down", "--yes", "--adopt")
	golden(t, "unit-clean.txt", w.must(0, "status", "--expect-clean"))
}

// TestWhatAClusterLeftIsNamedAndStays: it may take the host's network with it.
func TestWhatAClusterLeftIsNamedAndStays(t *testing.T) {
	w := newSystemd(t)
	w.must(0, "up", "--profile", "kubernetes", "--no-unit")
	w.host.PutFile("/etc/cni/net.d/05-cilium.conflist", "{}")
	w.host.AddLink("cilium_host")
	w.host.AddLink("cilium_net")
	for _, c := range []machine.Chain{
		{Family: "ip", Table: "nat", Name: "KUBE-SERVICES"},
		{Family: "ip", Table: "nat", Name: "PREROUTING"},
		{Family: "ip6", Table: "filter", Name: "KUBE-FORWARD"},
		{Family: "ip", Table: "filter", Name: "CILIUM_INPUT"},
		{Family: "ip", Table: "kube-proxy", Name: "services"},
		{Family: "ip", Table: "filter", Name: "KUBE-FIREWALL", Legacy: true},
		{Family: "inet", Table: "site", Name: "input"},
	} {
		w.host.AddChain(c)
	}
	golden(t, "foreign-down-dry-run.txt", w.must(0, "down", "--dry-run"))
	golden(t, "foreign-down.json", w.must(0, "down", "--yes", "-o", "json"))
	if _, there := w.host.File("/etc/cni/net.d/05-cilium.conflist"); !there {
		t.Error("it is gone")
	}
}

// TestRulesThatCannotBeSeenKeepNobodyFromGivingBack: the right to see them is not that to
// give back.
func TestRulesThatCannotBeSeenKeepNobodyFromGivingBack(t *testing.T) {
	w := newSystemd(t)
	w.must(0, "up", "--profile", "kubernetes", "--no-unit")
	w.host.HideChains()
	if a := w.must(0, "down", "--yes"); !strings.Contains(a.stdout, "rules about packets") || !strings.Contains(a.stdout, "not looked at: operation not permitted") {
		t.Errorf("down says\n%s", a.stdout)
	}
}
