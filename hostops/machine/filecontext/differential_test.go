package filecontext_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	root  = "/run/selinux-root"
	files = root + "/etc/selinux/default/contexts/files/"
)

// TestTheRealLibraryFindsTheSameLabels asks libselinux for the labels of our own paths and
// of some thousand others, with what an admin may have added to the policy.
func TestTheRealLibraryFindsTheSameLabels(t *testing.T) {
	if testbed.Reexec(t, testbed.SandboxOptions{Root: root, RootKind: testbed.SELinuxKind}) {
		return
	}
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	policy := read(t, "file_contexts")
	expressions := expressionsOf(policy)
	compared, none := 0, 0
	for range 4 {
		put(t, "file_contexts.local", someLocals(random, expressions))
		put(t, "file_contexts.subs", someSubs(random))
		c := filecontext.Parse(filecontext.Files{
			Main: policy, Homes: read(t, "file_contexts.homedirs"), Local: read(t, "file_contexts.local"),
			Subs: read(t, "file_contexts.subs"), SubsDist: read(t, "file_contexts.subs_dist"),
		})
		for _, kind := range []filecontext.Kind{filecontext.Regular, filecontext.Directory} {
			asked := append(ourPaths(), somePaths(random, expressions, 700)...)
			want := matchpathcon(t, kind, asked)
			for i, p := range asked {
				got, err := c.Lookup(p, kind)
				if err != nil || got != want[i] {
					t.Errorf("%q (%c) is %q, %v; libselinux says %q", p, kind, got, err, want[i])
				}
				compared++
				if want[i] == "" {
					none++
				}
			}
		}
	}
	t.Logf("compared %d labels, of which %d are none, with seed %d", compared, none, seed)
	if compared < 5000 || none > compared/2 {
		t.Errorf("too little was compared: %d labels, of which %d are none", compared, none)
	}
}

func ourPaths() []string {
	return []string{
		"/", "/etc", paths.SysctlDropIn, paths.ModulesLoad, paths.NodeEnv, paths.KubeletDropIn, paths.StateDir, paths.Ledger, paths.Input,
		paths.RunDir, paths.RunLock, paths.K3sConfigDir + "/" + paths.RancherConfigName, "/usr/local/bin/bootstrap", "/opt/hostprofile/bin/bootstrap",
		"/etc/systemd/system/hostprofile.service", "/run/systemd/system/hostprofile.service.d/x.conf",
	}
}

// matchpathcon is the real thing: it reads the policy of the folder and nothing else.
func matchpathcon(t *testing.T, kind filecontext.Kind, asked []string) []string {
	t.Helper()
	mode := map[filecontext.Kind]string{filecontext.Regular: "file", filecontext.Directory: "dir"}[kind]
	cmd := exec.CommandContext(t.Context(), "chroot", append([]string{root, "matchpathcon", "-n", "-m", mode}, asked...)...)
	out, err := cmd.Output()
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(asked) {
		t.Fatalf("%d answers to %d paths: %v", len(lines), len(asked), err)
	}
	for i := range lines {
		if lines[i] == "<<none>>" {
			lines[i] = ""
		}
	}
	return lines
}

func expressionsOf(policy string) []string {
	var out []string
	for line := range strings.Lines(policy) {
		if words := strings.Fields(line); len(words) > 1 && words[0][0] == '/' {
			out = append(out, words[0])
		}
	}
	return out
}

// somePaths are paths that the expressions of the policy are about, and neighbours.
func somePaths(random *rand.Rand, expressions []string, n int) []string {
	var out []string
	for len(out) < n {
		re, err := syntax.Parse(expressions[random.IntN(len(expressions))], syntax.Perl)
		if err != nil {
			continue
		}
		var b strings.Builder
		write(&b, re, random)
		p := b.String()
		switch random.IntN(6) {
		case 0:
			p += "/more"
		case 1:
			p = path.Dir(p)
		case 2:
			p += "x"
		case 3:
			p = "/alias" + p
		}
		if path.Clean(p) == p && p[0] == '/' && strings.Trim(p, printable) == "" {
			out = append(out, p)
		}
	}
	return out
}

const printable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+:@%,=~^#{}[]()-/ "

// write writes a text that an expression matches.
func write(b *strings.Builder, re *syntax.Regexp, random *rand.Rand) {
	repeat := func(low, high int) {
		for range low + random.IntN(high-low+1) {
			write(b, re.Sub[0], random)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		for range 20 {
			i := 2 * random.IntN(len(re.Rune)/2)
			r := re.Rune[i] + rune(random.IntN(int(min(re.Rune[i+1]-re.Rune[i], 90))+1))
			if strings.ContainsRune(printable, r) {
				b.WriteRune(r)
				return
			}
		}
		b.WriteRune('k')
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("ab/.c"[random.IntN(5)])
	case syntax.OpStar:
		repeat(0, 3)
	case syntax.OpPlus:
		repeat(1, 3)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, max(re.Min, re.Max))
	case syntax.OpCapture:
		write(b, re.Sub[0], random)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, sub, random)
		}
	case syntax.OpAlternate:
		write(b, re.Sub[random.IntN(len(re.Sub))], random)
	}
}

// someLocals names other types for some of the policy's expressions, and for new ones.
func someLocals(random *rand.Rand, expressions []string) string {
	var b strings.Builder
	for range 60 {
		e := expressions[random.IntN(len(expressions))]
		kind := []string{"", " -- ", " -d "}[random.IntN(3)]
		fmt.Fprintf(&b, "%s %s system_u:object_r:%s:s0\n", e, kind, []string{"bin_t", "etc_t", "var_t"}[random.IntN(3)])
	}
	b.WriteString("/opt/hostprofile(/.*)? system_u:object_r:usr_t:s0\n/etc/.*\\.conf -- <<none>>\n")
	return b.String()
}

func someSubs(random *rand.Rand) string {
	targets := []string{"/", "/opt", "/usr/local", "/var/lib"}
	return "# comment\n/alias " + targets[random.IntN(4)] + "\n/alias/etc " + targets[random.IntN(4)] + "\n/alias " + targets[random.IntN(4)] + "\n"
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(files + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(files+name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
