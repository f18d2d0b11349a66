package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
)

func TestHelp(t *testing.T) {
	w := newWorld(t)
	golden(t, "help.txt", w.must(0))
	golden(t, "help.txt", w.must(0, "--help"))
	golden(t, "help-up.txt", w.must(0, "up", "--help"))
	golden(t, "help-node-ip.txt", w.must(0, "node-ip", "--help"))
	golden(t, "help-exit-codes.txt", w.must(0, "help", "exit-codes"))
	golden(t, "help-output.txt", w.must(0, "help", "output"))
	for _, command := range []string{"check", "plan", "status", "node-ip", "up", "down", "validate", "profiles", "version"} {
		a := w.must(0, "help", command)
		if !strings.Contains(a.stdout, "Examples:") || len(a.stdout) < 400 {
			t.Errorf("%s: the help does not teach:\n%s", command, a.stdout)
		}
		narrow(t, command+".txt", a)
	}
}

func TestEveryExitCodeIsExplained(t *testing.T) {
	a := newWorld(t).must(0, "help", "exit-codes")
	for _, m := range exit.Meanings() {
		if !strings.Contains(a.stdout, itoa(int(m.Code))+"  ") {
			t.Errorf("%d is missing", m.Code)
		}
	}
}

func TestVersion(t *testing.T) {
	w := newWorld(t)
	if a := w.must(0, "version"); !strings.HasPrefix(a.stdout, "bootstrap v0.1.0, go1.") {
		t.Errorf("%s", a.stdout)
	}
	doc := w.must(0, "version", "-o", "json").document(t)
	sum := doc["summary"].(map[string]any)
	record := sum["ledger"].(map[string]any)
	reads := record["reads"].(map[string]any)
	if doc["kind"] != "Version" || sum["version"] != "v0.1.0" || record["major"] != 1.0 || reads["from"] != 1.0 || reads["to"] != 1.0 {
		t.Errorf("%v", doc)
	}
}

func TestProfiles(t *testing.T) {
	w := newWorld(t)
	list := w.must(0, "profiles")
	for _, name := range []string{"kubernetes", "kubelet-defaults  (cis)", "cilium"} {
		if !strings.Contains(list.stdout, name) {
			t.Errorf("no %s in\n%s", name, list.stdout)
		}
	}
	shown := w.must(0, "profiles", "cis").stdout
	w.must(0, "validate", "-f", w.file("site.yaml", shown))
	if items := w.must(0, "profiles", "-o", "json").document(t)["items"].([]any); len(items) < 3 {
		t.Errorf("%v", items)
	}
	one := w.must(0, "profiles", "cis", "-o", "json").document(t)["items"].([]any)[0].(map[string]any)
	if one["profile"].(map[string]any)["kind"] != "HostProfile" {
		t.Errorf("%v", one)
	}
}

func TestAnAliasIsTheSameProfile(t *testing.T) {
	w := newWorld(t)
	a := w.must(0, "plan", "--profile", "cis", "--profile", "kubelet-defaults", "-o", "json")
	b := w.must(0, "plan", "--profile", "kubelet-defaults", "-o", "json")
	if a.stdout != b.stdout {
		t.Errorf("%s\n%s", a.stdout, b.stdout)
	}
}

func TestCompletion(t *testing.T) {
	w := newWorld(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if a := w.must(0, "completion", shell); len(a.stdout) < 1000 {
			t.Errorf("%s: %s", shell, a.stdout)
		}
	}
	for _, tt := range []struct {
		want  string
		typed []string
	}{
		{"kubelet-defaults\n", []string{"plan", "--profile", ""}},
		{":4\n", []string{"up", ""}}, // no files: none is an argument
		{"kubernetes\n", []string{"profiles", ""}},
		{"exit-codes\t", []string{"help", ""}},
		{"--expect-clean\t", []string{"status", "--e"}},
	} {
		if a := w.must(0, append([]string{"__complete"}, tt.typed...)...); !strings.Contains(a.stdout, tt.want) {
			t.Errorf("%v: %s", tt.typed, a.stdout)
		}
	}
}

func TestTheVersionIsAskedForInTwoWays(t *testing.T) {
	w := newWorld(t)
	if a, b := w.must(0, "--version"), w.must(0, "version"); a != b {
		t.Errorf("%v %v", a, b)
	}
}
