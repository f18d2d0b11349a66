package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/command"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/service"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

var update = flag.Bool("update", false, "write the golden files")

// world is a host in memory and whoever types commands on it.
type world struct {
	t        *testing.T
	host     *fake.Host
	machine  *machine.Machine
	terminal command.Terminals
	stdin    io.Reader
	env      map[string]string
	user     bool // not root
	service  service.Voice
	dir      string
	ctx      context.Context
}

func newWorld(t *testing.T, options ...fake.Option) *world {
	t.Helper()
	h := fake.New(options...)
	h.PutFile("/etc/machine-id", "4f6c0b3a2d1e4f5a8b9c0d1e2f3a4b5c\n")
	h.PutFile("/etc/os-release", "ID=debian\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
	return &world{t: t, host: h, machine: h.Machine(), stdin: strings.NewReader(""), dir: t.TempDir(), ctx: t.Context()}
}

// file writes a file of the person's and returns its name.
func (w *world) file(name, content string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// answer is what one command gave.
type answer struct {
	code           exit.Code
	stdout, stderr string
}

// run types a command.
func (w *world) run(args ...string) answer {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	now := w.host.Now()
	code := command.Run(w.ctx, command.Environment{
		Args: args, Stdin: w.stdin, Stdout: &stdout, Stderr: &stderr, Terminal: w.terminal,
		Getenv: func(name string) string { return w.env[name] },
		Now:    func() time.Time { now = now.Add(41 * time.Millisecond); return now },
		Root:   !w.user, PID: 4711, Version: "v0.1.0", Machine: w.machine, Service: w.service,
	})
	clean := strings.NewReplacer(w.dir+string(filepath.Separator), "")
	return answer{code, clean.Replace(stdout.String()), clean.Replace(stderr.String())}
}

// must types a command that has to end with a code.
func (w *world) must(code exit.Code, args ...string) answer {
	w.t.Helper()
	a := w.run(args...)
	if a.code != code {
		w.t.Fatalf("bootstrap %s ends with %d, want %d\n%s%s", strings.Join(args, " "), a.code, code, a.stdout, a.stderr)
	}
	return a
}

// document returns the one document of the standard output.
func (a answer) document(t *testing.T) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(a.stdout))
	var doc map[string]any
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("no document: %v\n%s%s", err, a.stdout, a.stderr)
	}
	if err := d.Decode(&doc); err != io.EOF {
		t.Fatalf("more than one document:\n%s", a.stdout)
	}
	if doc["exitCode"] != float64(a.code) {
		t.Errorf("the document says %v, the program ends with %d", doc["exitCode"], a.code)
	}
	return doc
}

// golden compares an answer with the file of that name.
func golden(t *testing.T, name string, a answer) {
	t.Helper()
	got := a.stdout
	if a.stderr != "" {
		got += "--- standard error ---\n" + a.stderr
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew): %s", name, difference(got, string(want)))
	}
	narrow(t, name, a)
}

// difference shows where two texts part.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for n < min(len(g), len(w)) && g[n] == w[n] {
		n++
	}
	from := max(n-2, 0)
	part := func(lines []string) string {
		return strings.Join(lines[min(from, len(lines)):min(n+6, len(lines))], "\n")
	}
	return "line " + itoa(n+1) + "\n--- got\n" + part(g) + "\n--- want\n" + part(w)
}

// narrow checks that people can read the text on a terminal of usual width.
func narrow(t *testing.T, name string, a answer) {
	t.Helper()
	if !strings.HasSuffix(name, ".txt") {
		return
	}
	for line := range strings.Lines(a.stdout) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n >= 95 {
			t.Errorf("%s: a line of %d columns: %s", name, n, line)
		}
		if strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
			t.Errorf("%s: blanks at the end of %q", name, line)
		}
	}
}
