package command_test

import (
	"strings"
	"testing"

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
