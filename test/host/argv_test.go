package host_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/unit"
)

const (
	// A unit of many command lines makes systemd tell all of them after each.
	argvUnits = 500
	argvLines = 20
	// argvScript writes down how it was called. Its path has a blank, which old versions
	// of systemd take in one form only.
	argvScript = "/run/my tools/argv"
	argvText   = "#!/bin/sh\nout=$1\nshift\nprintf '%s\\0' \"$#\" \"$@\" >>\"/run/argv/$out\"\n"
)

// pieces are what something means to systemd, to a shell or to nobody.
var pieces = []string{
	" ", "  ", `"`, `'`, `\`, `\\`, `\n`, `\x41`, "%", "%%", "%h", "%i", "%n", "$", "$$", "$HOME", "${HOME}", "${PATH:-x}", ";", "; ", " ;", "|", "&", "<", ">",
	"-", "@", "+", "!", "!!", ":", "#", "=", "[Service]", "~", "*", "?", "{", "}", "(", ")", "`", "^", "/", "//", ".", "..", "a", "b", "run", "--config", "0", "é", "日本", "\u00a0", "\u2028", "🙂",
}

// argument returns any argument without control characters, the empty one included.
func argument(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(7) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// TestSystemdRunsTheCommandLineThatWasWritten: word for word, for any argument, and what
// we read back is the same.
func TestSystemdRunsTheCommandLineThatWasWritten(t *testing.T) {
	s := newSystemd(t)
	s.write(argvScript, argvText, 0o755)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	want := map[string][][]string{}
	var files strings.Builder
	for n := range argvUnits {
		name := fmt.Sprintf("argv%03d", n)
		fmt.Fprintf(&files, "@@@ %s.service\n[Service]\nType=oneshot\nTimeoutStartSec=infinity\n", name)
		for range argvLines {
			argv := append([]string{argvScript, name}, arguments(r)...)
			fmt.Fprintf(&files, "ExecStart=%s\n", written(t, argv))
			want[name] = append(want[name], argv[2:])
		}
	}
	names := strings.Join(slices.Collect(maps.Keys(want)), ".service ") + ".service"
	fmt.Fprintf(&files, "@@@ argv.target\n[Unit]\nWants=%s\nAfter=%s\n", names, names)
	s.write("/run/test/units", files.String(), 0o644)
	s.sh(`mkdir -p /run/argv /run/systemd/system; awk '/^@@@ /{close(f); f="/run/systemd/system/" $2; next} {print >f}' /run/test/units`)
	s.sh("systemctl daemon-reload && systemctl start --no-block argv.target && timeout 600 sh -c 'until systemctl is-active -q argv.target; do sleep 0.5; done'")
	for line := range strings.Lines(s.sh(`cd /run/argv; for f in *; do echo "$f $(base64 -w0 $f)"; done`)) {
		name, coded, _ := strings.Cut(strings.TrimSpace(line), " ")
		compareArgv(t, want[name], coded)
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d units did not run", len(want))
	}
}

func arguments(r *rand.Rand) (out []string) {
	for range r.IntN(5) {
		out = append(out, argument(r))
	}
	return out
}

// written is a command line as it is written, and read back.
func written(t *testing.T, argv []string) string {
	t.Helper()
	line, err := unit.Quote(argv)
	if err != nil {
		t.Fatalf("%q: %v", argv, err)
	}
	if back, err := unit.ExecStart("[Service]\nExecStart=" + line + "\n"); err != nil || !slices.Equal(back, argv) {
		t.Fatalf("%q is written as %s and read as %q, %v", argv, line, back, err)
	}
	return line
}
