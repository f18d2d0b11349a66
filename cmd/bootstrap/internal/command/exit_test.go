package command_test

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

func TestALockThatIsNotHadNamesItsHolder(t *testing.T) {
	w := newWorld(t)
	w.host.PutDir(paths.RunDir, fs.ModeDir|0o700)
	release, err := w.host.Start().Machine().Locks.TryLock(paths.RunLock, "bootstrap up, pid 2211")
	if err != nil {
		t.Fatal(err)
	}
	before := w.host.Mutations()
	golden(t, "locked.txt", w.must(75, "up", "--profile", "kubernetes", "--lock-timeout", "2s"))
	golden(t, "locked.json", w.must(75, "up", "--profile", "kubernetes", "-o", "json"))
	w.must(75, "down", "--yes")
	w.must(0, "plan", "--profile", "kubernetes") // needs no lock
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d writes without the lock", n)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	w.must(0, "up", "--profile", "kubernetes")
}

func TestOnlyRootMayChangeAHost(t *testing.T) {
	w := newWorld(t)
	w.user = true
	golden(t, "not-root.txt", w.must(77, "up", "--profile", "kubernetes"))
	golden(t, "not-root.json", w.must(77, "up", "--profile", "kubernetes", "-o", "json"))
	w.must(77, "down", "--yes")
	w.must(0, "plan", "--profile", "kubernetes")
	w.must(0, "up", "--profile", "kubernetes", "--dry-run")
	if w.host.Mutations() > 0 {
		t.Error("the host changed")
	}
}

func TestReadingWhatOnlyRootMayRead(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "kubernetes")
	w.user = true
	w.host.FailRead(paths.Ledger, fs.ErrPermission)
	for _, command := range []string{"status", "plan"} {
		a := w.must(77, command)
		if !strings.Contains(a.stderr, "sudo") {
			t.Errorf("%s: no way out: %s", command, a.stderr)
		}
	}
	w.must(77, "down", "--dry-run")
	w.must(77, "check")
	w.must(77, "check", "--profile", "kubernetes")
	w.user = false // root meets the same error: then it is no question of rights
	w.must(3, "status")
	w.host.FailRead(paths.Ledger, nil)
	w.host.FailRead(paths.Input, fs.ErrPermission)
	w.user = true
	w.must(77, "check")
}

func TestAHostThatNobodyManagesIsToldOnce(t *testing.T) {
	a := newWorld(t).must(3, "up")
	if strings.Count(a.stdout+a.stderr, "nothing is managed on this host") != 1 {
		t.Errorf("%s%s", a.stdout, a.stderr)
	}
}

// TestEveryListOfADocumentIsThere: a program that counts warnings need not know of null.
func TestEveryListOfADocumentIsThere(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{
		{"up", "--profile", "cis"}, {"up"}, {"plan"}, {"status"}, {"status", "--expect-clean"}, {"check"}, {"node-ip"}, {"gate"},
		{"down", "--dry-run"}, {"down", "--yes"}, {"down", "--yes"}, {"up"}, {"profiles"}, {"version"}, {"validate", "--profile", "cis"}, {"validate"},
	} {
		doc := w.run(append(args, "-o", "json")...).document(t)
		for _, list := range []string{"items", "warnings", "errors"} {
			if _, ok := doc[list].([]any); !ok {
				t.Errorf("%v: %s is %v", args, list, doc[list])
			}
		}
		if _, ok := doc["summary"].(map[string]any); !ok {
			t.Errorf("%v: summary is %v", args, doc["summary"])
		}
	}
}

func TestPlanTellsProgramsThatSomethingWouldChange(t *testing.T) {
	w := newWorld(t)
	w.must(0, "plan", "--profile", "kubernetes")
	w.must(4, "plan", "--profile", "kubernetes", "--exit-code")
	w.must(4, "plan", "--profile", "kubernetes", "--exit-code", "-o", "json").document(t)
	w.must(0, "up", "--profile", "kubernetes")
	w.must(0, "plan", "--profile", "kubernetes", "--exit-code")
}

func TestALostRecordRefusesTheRun(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "kubernetes")
	w.host.Delete(paths.Ledger)
	before := w.host.String()
	golden(t, "lost.txt", w.must(3, "up"))
	golden(t, "lost.json", w.must(3, "up", "-o", "json"))
	for _, flag := range []string{"--yes", "--dry-run"} {
		if a := w.must(3, "down", flag); !strings.Contains(a.stderr, "down --adopt") {
			t.Errorf("down %s does not say what helps it: %s", flag, a.stderr)
		}
	}
	w.must(3, "plan")
	w.must(3, "status")
	if after := w.host.String(); after != before {
		t.Errorf("the host changed:\n%s", after)
	}
	w.must(1, "check")
	w.must(0, "up", "--adopt")
	w.must(0, "status")
}

func TestDownAdoptRemovesOurFilesWithoutARecord(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "kubernetes")
	w.host.Delete(paths.Ledger)
	w.must(2, "down", "--adopt") // asks, and there is nobody
	w.must(0, "down", "--adopt", "--yes")
	for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad, paths.Ledger, paths.Input} {
		if _, there := w.host.File(path); there {
			t.Errorf("%s is still there", path)
		}
	}
}

func TestAnInterruptedRunEndsAfterItsStage(t *testing.T) {
	w, flags := node(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.ctx = ctx
	w.host.OnStep(func(int) {
		if v, _ := w.host.Sysctl("net/ipv4/ip_forward"); v == "1" {
			cancel()
		}
	})
	a := w.must(130, with("up", flags...)...)
	golden(t, "interrupted.txt", a)
	if v, _ := w.host.Sysctl("vm/max_map_count"); v != "262144" {
		t.Errorf("the stage was left in the middle: max_map_count is %s", v)
	}
	if len(w.host.String()) == 0 || !strings.Contains(w.host.String(), "swap /dev/sda2") {
		t.Error("the next stage was begun")
	}
	w.host.OnStep(nil)
	w.ctx = t.Context()
	w.must(0, "up")
	w.must(0, "status")
}

func TestAnInterruptBeforeTheFirstStageChangesNothing(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.ctx = ctx
	w.must(130, "plan", "--profile", "kubernetes", "-o", "json").document(t)
}

func TestWrongUsage(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"unknown command", "did you mean plan?", []string{"plam"}},
		{"unknown flag", "did you mean --profile?", []string{"plan", "--profil", "kubernetes"}},
		{"unknown profile", "unknown profile 'cillium': did you mean cilium?", []string{"plan", "--profile", "cillium"}},
		{"unknown alias", "did you mean cis?", []string{"plan", "--profile", "ciss"}},
		{"unknown profile to show", "did you mean kubernetes?", []string{"profiles", "kubernets"}},
		{"an argument that nobody reads", `up takes no argument, and "now" is one`, []string{"up", "now"}},
		{"a profile as an argument", "--profile kubernetes", []string{"up", "kubernetes"}},
		{"a file as an argument", "-f site.yaml", []string{"plan", "site.yaml"}},
		{"two profiles to show", "name one of them", []string{"profiles", "cis", "cilium"}},
		{"help about nothing", "did you mean up?", []string{"help", "upp"}},
		{"unknown shell", "did you mean bash?", []string{"completion", "bsh"}},
		{"a root that is empty", "--root names no folder", []string{"up", "--root", ""}},
		{"a relative folder for the program", "no absolute path", []string{"up", "--bin-dir", "bin"}},
		{"a folder for a file", "is a folder", []string{"up", "-f", "/proc"}},
		{"a format for something else", "use text, json, yaml", []string{"version", "-o", "kubeadm"}},
		{"unknown format of an address", "kubeadm", []string{"node-ip", "-o", "xml"}},
		{"two that exclude each other", "--image and --expect-clean exclude each other", []string{"status", "--image", "--expect-clean"}},
		{"a dry run of what nobody knows", "--dry-run", []string{"down", "--adopt", "--dry-run"}},
		{"unknown format", `there is no output format "xml"`, []string{"plan", "-o", "xml"}},
		{"quiet and verbose", "exclude each other", []string{"plan", "-q", "-v"}},
		{"bad duration", "--lock-timeout", []string{"up", "--lock-timeout", "soon"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			a := w.must(2, tt.args...)
			if !strings.Contains(a.stderr, tt.want) || a.stdout != "" {
				t.Errorf("want %q, got %q on stderr and %q on stdout", tt.want, a.stderr, a.stdout)
			}
			for _, flag := range [][]string{{"-o", "json"}, {"-ojson"}, {"--output=json"}, {"--output", "json"}} {
				if slices.Contains(tt.args, "-o") {
					break
				}
				doc := w.must(2, append(append([]string{}, tt.args...), flag...)...).document(t)
				if doc["kind"] != "Error" || len(doc["errors"].([]any)) != 1 {
					t.Errorf("document %v", doc)
				}
			}
		})
	}
}

func TestWhatCannotBeGivenBackIsNamedAndKept(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "kubernetes")
	w.host.FailSysctlWrite("net/ipv4/ip_forward", fs.ErrPermission)
	golden(t, "down-fails.txt", w.must(1, "down", "--yes"))
	doc := w.must(1, "down", "--yes", "-o", "json").document(t)
	if !strings.Contains(fmt.Sprint(doc["errors"]), "Remains") || doc["result"] != "Failed" {
		t.Errorf("%v", doc["errors"])
	}
	w.host.EndFaults()
	w.must(0, "down", "--yes")
	w.must(3, "status")
}

func TestWhatCannotBeSeenRemainsAndIsAFailure(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "kubernetes")
	w.host.FailSysctlRead("net/ipv4/ip_forward", syscall.EIO)
	golden(t, "down-blind.txt", w.must(1, "down", "--yes"))
	w.host.EndFaults()
	w.must(0, "down", "--yes")
}
