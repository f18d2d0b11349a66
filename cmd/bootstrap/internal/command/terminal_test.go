package command_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestDownAsksOnATerminal(t *testing.T) {
	w, flags := node(t)
	w.must(0, with("up", flags...)...)
	before := w.host.String()
	golden(t, "down-no-terminal.txt", w.must(2, "down"))
	w.terminal.In = true
	w.stdin = strings.NewReader("yes\n")
	golden(t, "down-declined.txt", w.must(3, "down"))
	w.stdin = strings.NewReader("")
	w.must(3, "down")
	if after := w.host.String(); after != before {
		t.Fatalf("the host changed:\n%s", after)
	}
	w.stdin = strings.NewReader("node1.example.net\n")
	w.must(0, "down", "-o", "json").document(t)
	w.stdin = strings.NewReader("")
	w.must(0, "down") // nothing to give back, nothing to ask
}

// silence is a terminal at which nobody types until it is hung up.
type silence struct{ reading, hungUp chan struct{} }

func (s silence) Read([]byte) (int, error) {
	close(s.reading)
	<-s.hungUp
	return 0, io.EOF
}

func TestAQuestionCanBeInterrupted(t *testing.T) {
	w := newWorld(t)
	w.must(0, "up", "--profile", "kubernetes")
	ctx, cancel := context.WithCancel(t.Context())
	quiet := silence{make(chan struct{}), make(chan struct{})}
	defer close(quiet.hungUp)
	w.ctx, w.terminal.In, w.stdin = ctx, true, quiet
	go func() { <-quiet.reading; cancel() }()
	w.must(130, "down")
}

func TestColoursAreForTerminalsThatWantThem(t *testing.T) {
	const escape = "\x1b["
	for _, tt := range []struct {
		name     string
		terminal bool
		env      map[string]string
		args     []string
		want     bool
	}{
		{"no terminal", false, nil, nil, false},
		{"terminal", true, nil, nil, true},
		{"NO_COLOR", true, map[string]string{"NO_COLOR": "1"}, nil, false},
		{"TERM=dumb", true, map[string]string{"TERM": "dumb"}, nil, false},
		{"--no-color", true, nil, []string{"--no-color"}, false},
		{"json", true, nil, []string{"-o", "json"}, false},
	} {
		w := newWorld(t)
		w.terminal.Out, w.env = tt.terminal, tt.env
		a := w.must(0, append([]string{"plan", "--profile", "kubernetes"}, tt.args...)...)
		if got := strings.Contains(a.stdout, escape); got != tt.want {
			t.Errorf("%s: colours %v", tt.name, got)
		}
	}
}

func TestTextOfOthersCannotSteerATerminal(t *testing.T) {
	w := newWorld(t, fake.Sysctl("kernel/evil", "a\x1b[2Jb\x07"))
	file := w.file("site.yaml", profileWith("{name: kernel.evil, value: 1}"))
	if a := w.must(0, "plan", "-f", file); strings.ContainsAny(a.stdout, "\x1b\x07") {
		t.Errorf("%q", a.stdout)
	}
}

func TestQuietSaysNothingWhenAllIsWell(t *testing.T) {
	w := newSystemd(t)
	for _, args := range [][]string{
		{"validate", "--profile", "kubernetes"}, {"plan", "--profile", "kubernetes"}, {"up", "--profile", "kubernetes"}, {"up"}, {"status"}, {"plan"},
		{"down", "--dry-run"}, {"down", "--yes"}, {"down", "--yes"}, {"down", "--dry-run"}, {"status", "--expect-clean"},
	} {
		if a := w.must(0, append(args, "-q")...); a.stdout+a.stderr != "" {
			t.Errorf("%v: %s%s", args, a.stdout, a.stderr)
		}
	}
}

func TestALongRunNamesItsStagesOnATerminal(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.terminal.Err = terminal
			w.host.OnStep(func(int) { time.Sleep(400 * time.Millisecond) })
			a := w.must(0, "up", "--profile", "kubernetes")
			if named := strings.HasSuffix(a.stderr, "modules ...\nsysctls ...\nswap ...\nmounts ...\nSELinux ...\nnode IP ...\nunit ...\nfirewalld ...\n"); named != terminal {
				t.Errorf("terminal %v: %q", terminal, a.stderr)
			}
			synctest.Wait()
		})
	}
}
