package host_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/unit"
)

const (
	commandLines = 10_000
	argvUnits    = 10
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
	s.sh("mkdir -p /run/argv")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var want [argvUnits][][]string
	names := make([]string, argvUnits)
	for n := range argvUnits {
		names[n] = fmt.Sprintf("argv%d", n)
		text := "[Service]\nType=oneshot\nTimeoutStartSec=infinity\n"
		for range commandLines / argvUnits {
			argv := []string{argvScript, names[n]}
			for range r.IntN(5) {
				argv = append(argv, argument(r))
			}
			line, err := unit.Quote(argv)
			if err != nil {
				t.Fatalf("%q: %v", argv, err)
			}
			if back, err := unit.ExecStart("[Service]\nExecStart=" + line + "\n"); err != nil || !slices.Equal(back, argv) {
				t.Fatalf("%q is written as %s and read as %q, %v", argv, line, back, err)
			}
			text += "ExecStart=" + line + "\n"
			want[n] = append(want[n], argv[2:])
		}
		s.write("/run/systemd/system/"+names[n]+".service", text, 0o644)
	}
	s.sh("systemctl daemon-reload && systemctl start " + strings.Join(names, " "))
	for n := range argvUnits {
		compareArgv(t, want[n], s.sh("base64 -w0 /run/argv/"+names[n]))
	}
}
