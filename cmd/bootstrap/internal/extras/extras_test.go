package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/command"
)

func written(t *testing.T) string {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	folder := filepath.Join(t.TempDir(), "extras")
	if err := write("v1.2.3", folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestEveryCommandHasAPageThatSaysWhatItsHelpSays: markdown and roff lie between the two,
// and either can swallow what it takes for its own.
func TestEveryCommandHasAPageThatSaysWhatItsHelpSays(t *testing.T) {
	folder := written(t)
	root := command.Tree()
	if len(root.Commands()) < 9 {
		t.Fatalf("there are %d commands", len(root.Commands()))
	}
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if c.Hidden {
			continue // units run it, and people read about it in the docs
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := plain(read(t, folder, name))
		for _, text := range []string{c.Short, c.Long, c.Example} {
			if !strings.Contains(page, words(text)) {
				t.Errorf("%s does not say:\n%s", name, text)
			}
		}
		if !strings.Contains(page, "bootstrap v1.2.3") || !strings.Contains(page, "Nov 2023") {
			t.Errorf("%s does not say of which version and date it is", name)
		}
	}
}

// plain is what a page says, without the marks of roff.
func plain(page string) string {
	page = strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fP`, "", `\&`, "", `\(aq`, "'", `\\`, `\`).Replace(page)
	var kept []string
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, ".") || strings.HasPrefix(line, ".TH") {
			kept = append(kept, line)
		}
	}
	return words(strings.Join(kept, " "))
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestIndentedTextIsLiteral(t *testing.T) {
	if got, want := literal("a\n\n  b\n  c\n\nd"), "a\n\n      b\n      c\n\nd"; got != want {
		t.Errorf("%q", got)
	}
}

func TestCompletionsAreForBothNames(t *testing.T) {
	folder := written(t)
	for name, want := range map[string]string{
		"bootstrap.bash":   "-F __start_bootstrap hostprofile\n",
		"_bootstrap":       "#compdef bootstrap hostprofile\n",
		"bootstrap.fish":   "complete -c bootstrap ",
		"hostprofile.fish": "complete --command hostprofile --wraps bootstrap\n",
	} {
		if !strings.Contains(read(t, folder, name), want) {
			t.Errorf("%s has no %q", name, want)
		}
	}
}
