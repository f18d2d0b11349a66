package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// TestWhatIsSaidOfATreeIsDoneToTheTree: a command that is told on the report of an image, and
// copied, must not give back the host that builds it.
func TestWhatIsSaidOfATreeIsDoneToTheTree(t *testing.T) {
	w := imageWorld(t)
	w.must(0, "up", "-f", w.file("site.yaml", imageSite), "--root", "/mnt/image")
	for _, args := range [][]string{{"status"}, {"down", "--dry-run"}} {
		said := w.must(0, append(args, "--root", "/mnt/image")...).stdout
		for line := range strings.Lines(said) {
			if strings.Contains(line, "bootstrap down") && !strings.Contains(line, "bootstrap down --root /mnt/image") {
				t.Errorf("%v: %s", args, line)
			}
		}
		if !strings.Contains(said, "bootstrap down --root /mnt/image") {
			t.Errorf("%v does not say how to give it back:\n%s", args, said)
		}
	}
}

// TestARootThatIsNoOtherHostIsRefused: what is said of a tree is about files that nobody else
// writes, and is taken from a record without a lock.
func TestARootThatIsNoOtherHostIsRefused(t *testing.T) {
	w := newWorld(t)
	w.machine = nil // the real one: commands that only look
	for root, want := range map[string]string{
		"/.":               "the host that bootstrap runs on",
		"/proc/self/root/": "the host that bootstrap runs on",
		"/nonexistent":     "no such file or directory",
		"/proc/self/exe":   "no folder",
		w.file("file", ""): "no folder",
	} {
		for _, command := range []string{"plan", "status", "check"} {
			a := w.must(2, command, "--root", root)
			if !strings.Contains(strings.Join(strings.Fields(a.stderr), " "), want) {
				t.Errorf("%s --root %s: %s", command, root, a.stderr)
			}
		}
	}
}

// TestWhatRemainsIsToldWithWhatHelps: a link that enables our unit, on a host whose systemd does
// not run, is in no record and does not go with another run.
func TestWhatRemainsIsToldWithWhatHelps(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "cis")
	w.host.PutLink(paths.UnitLink, paths.UnitFile)
	for range 2 {
		a := w.must(1, "down", "--yes")
		if strings.Contains(a.stdout, ": ,") || !strings.Contains(a.stdout, paths.UnitLink) || !strings.Contains(a.stdout, "by hand") {
			t.Errorf("%s", a.stdout)
		}
	}
	w.host.Delete(paths.UnitLink)
	w.must(0, "down", "--yes")
}

// TestWhatIsNotThereIsNotSaidToStay: a module that was never loaded, and the setting of an
// interface that is gone.
func TestWhatIsNotThereIsNotSaidToStay(t *testing.T) {
	w := newWorld(t, fake.Link("lxc1"))
	site := w.file("site.yaml", `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec:
  nodeSelector: {}
  kernelModules: [{name: nosuch, ifMissing: Skip}]
  sysctls: [{name: "net.ipv4.conf.lxc*.rp_filter", value: 0}]
`)
	_ = w.host.SetSysctl("net/ipv4/conf/lxc1/rp_filter", "2")
	w.must(0, "up", "-f", site)
	w.host.RemoveLink("lxc1")
	w.host.PutFile("/lib/modules/6.12.74+deb13+1-amd64/modules.dep", "")
	w.must(0, "plan", "--exit-code")
	if a := w.must(0, "status", "-v"); strings.Contains(a.stdout, "gives it back") {
		t.Errorf("%s", a.stdout)
	}
	for _, args := range [][]string{{"plan", "-v"}, {"down", "--dry-run"}, {"down", "--yes"}} {
		a := w.must(0, args...)
		if strings.Contains(a.stdout, "stays") || strings.Contains(a.stdout, "(absent)") {
			t.Errorf("%v: %s", args, a.stdout)
		}
	}
}
