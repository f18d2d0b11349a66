package unit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/unit"
)

// hard are arguments in which something means something to systemd.
var hard = []string{
	"", " ", "a b", `"`, `'`, `"a"`, `\`, `\\`, `a\`, `\n`, `\x20`, "%", "%%", "%h", "a%b", "$", "$$", "$HOME", "${HOME}", "a$b", "$$HOME",
	";", ";;", "a;b", "-x", "@x", "+x", "!x", ":x", "|x", "-", "#x", "=", "a=b c", "caf\u00e9", "\u65e5\u672c", "\u00a0", "[Service]", "{}", "*", "~", "--config=/etc/a b/%c$d.yaml",
}

func TestACommandLineIsReadBack(t *testing.T) {
	for _, argv := range [][]string{
		{"/usr/bin/bootstrap", "run"},
		{"/opt/my tools/bootstrap", "run"},
		{"/opt/100%/bootstrap"},
		append([]string{"/opt/;/#/-/@x"}, hard...),
	} {
		text, err := unit.Service(argv)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unit.ExecStart(text)
		if err != nil || !slices.Equal(got, argv) {
			t.Errorf("%q came back as %q, %v", argv, got, err)
		}
	}
}

func FuzzACommandLineIsReadBack(f *testing.F) {
	for _, arg := range hard {
		f.Add("/usr/bin/x", arg, arg)
	}
	f.Fuzz(func(t *testing.T, program, a, b string) {
		argv := []string{program, a, b}
		text, err := unit.Quote(argv)
		if err != nil {
			return
		}
		if strings.ContainsAny(text, "\n\r\x00") {
			t.Fatalf("%q is more than a line", text)
		}
		if got, err := unit.Split(text); err != nil || !slices.Equal(got, argv) {
			t.Errorf("%q was written as %s and came back as %q, %v", argv, text, got, err)
		}
	})
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	for _, argv := range [][]string{
		nil, {""}, {"run"}, {"./run"}, {"/"}, {"/a/../b"}, {`/a"b`}, {"/a$b"}, {`/a\b`}, {"/a\nb"},
		{"/x", "a\nb"}, {"/x", "\t"}, {"/x", "\x00"}, {"/x", "\x7f"}, {"/x", "\u0085"}, {"/x", "\xff"},
	} {
		if text, err := unit.Service(argv); err == nil {
			t.Errorf("%q was written as\n%s", argv, text)
		}
	}
}

// TestExecStartIsReadAsSystemdDoes: files that somebody edited.
func TestExecStartIsReadAsSystemdDoes(t *testing.T) {
	for _, c := range []struct {
		text, want string // words joined by a bar; empty: an error
	}{
		{"[Service]\nExecStart=/a b c\n", "/a|b|c"},
		{"[Service]\nExecStart = /a  b \n", "/a|b"},
		{"[Service]\nExecStart=/a \"b c\" 'd e'\n", "/a|b c|d e"},
		{"[Service]\nExecStart=/a b\"c d\"e\n", "/a|bc de"},
		{"[Service]\nExecStart=\"/a b\" \\x20 \\t \\101 \\u00e9 \\;\n", "/a b| |\t|A|\u00e9|;"},
		{"[Service]\nExecStart=-/a\n", "/a"},
		{"[Service]\nExecStart=+/a\n", "/a"},
		{"[Service]\nExecStart=/a \\\n  b \\\n# c\n  d\n", "/a|b|d"},
		{"[Service]\nExecStart=/a\nExecStart=\nExecStart=/b\n", "/b"},
		{"[Unit]\nExecStart=/a\n[Service]\nExecStart=/b\n", "/b"},
		{"[Service]\n#ExecStart=/a\n;ExecStart=/a\nExecStart=/b $$x %%y\n", "/b|$x|%y"},
		{"[Service]\nExecStart=/a", "/a"},
		{"", ""}, {"[Service]\n", ""}, {"[Service]\nExecStart=\n", ""}, {"[Install]\nExecStart=/a\n", ""},
		{"[Service]\nExecStart=/a\nExecStart=/b\n", ""},
		{"[Service]\nExecStart=/a ; /b\n", ""},
		{"[Service]\nExecStart=/a %h\n", ""}, {"[Service]\nExecStart=/a $HOME\n", ""}, {"[Service]\nExecStart=/a ${HOME}\n", ""},
		{"[Service]\nExecStart=/a \"b\n", ""}, {"[Service]\nExecStart=@/a b\n", ""}, {"[Service]\nExecStart=a\n", ""},
		{"[Service]\nExecStart=/a \\q\n", ""}, {"[Service]\nExecStart=/a \\x0\n", ""}, {"[Service]\nExecStart=/a \\x00\n", ""},
	} {
		argv, err := unit.ExecStart(c.text)
		if got := strings.Join(argv, "|"); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q reads as %q, want %q; %v", c.text, got, c.want, err)
		}
	}
}

func TestADropInHasItsSay(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "[Service]\nRestart=no\n": false, "[Service]\nExecStartPre=/a\n": false, "[Unit]\nExecStart=/a\n": false,
		"[Service]\nExecStart=/a\n": true, "[Service]\nExecStart=\n": true, "[Service]\n ExecStart =\\\n /a\n": true,
	} {
		if got := unit.SetsExecStart(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
