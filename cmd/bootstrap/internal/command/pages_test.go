package command_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/command"
)

// pages are what people read.
func pages(t *testing.T) map[string]string {
	t.Helper()
	const root = "../../../../"
	names, err := filepath.Glob(root + "docs/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d pages: %v", len(names), err)
	}
	out := map[string]string{}
	for _, name := range append(names, root+"README.md", root+"CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(name, root)] = string(text)
	}
	return out
}

var (
	typed  = regexp.MustCompile(`(?m)^(?:    | +- )(?:\$ )?(?:sudo )?bootstrap ([a-z].*)$`)
	inline = regexp.MustCompile("`(?:sudo )?bootstrap ([a-z][^`]*)`")
	rest   = regexp.MustCompile(` (#|&&|>).*$`)
)

// TestTheCommandsOfThePagesAreOurs: what a page tells people to type is a command, with
// flags and arguments that it takes.
func TestTheCommandsOfThePagesAreOurs(t *testing.T) {
	seen := 0
	for page, text := range pages(t) {
		for _, m := range append(typed.FindAllStringSubmatch(text, -1), inline.FindAllStringSubmatch(text, -1)...) {
			line := rest.ReplaceAllString(m[1], "")
			seen++
			root := command.Tree()
			cmd, args, err := root.Find(strings.Fields(strings.ReplaceAll(line, "$profiles", "--profile kubernetes -f site.yaml")))
			if err == nil {
				err = cmd.ParseFlags(args)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: bootstrap %s: %v", page, line, err)
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d commands found: the pattern does not fit the pages any more", seen)
	}
}

var (
	fenced   = regexp.MustCompile("(?s)```yaml\n(.*?)```")
	indented = regexp.MustCompile(`(?m)(?:^    .*\n|^\n)+`)
	margin   = regexp.MustCompile(`(?m)^    `)
	spec     = regexp.MustCompile(`(?m)^spec:\n`)
)

// TestTheProfilesOfThePagesAreValid: what people copy from a page is accepted.
func TestTheProfilesOfThePagesAreValid(t *testing.T) {
	w, seen := newWorld(t), 0
	for page, text := range pages(t) {
		for _, sample := range samples(text) {
			seen++
			if a := w.run("validate", "-f", w.file("sample.yaml", sample)); a.code != 0 {
				t.Errorf("%s:\n%s%s", page, a.stdout, a.stderr)
			}
		}
	}
	if seen < 6 {
		t.Errorf("only %d profiles found: the pattern does not fit the pages any more", seen)
	}
}

// samples are the profiles of a page, and those of which it shows a section.
func samples(page string) (out []string) {
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		out = append(out, whole(m[1])...)
	}
	for _, block := range indented.FindAllString(page, -1) {
		out = append(out, whole(margin.ReplaceAllString(block, ""))...)
	}
	return out
}

// whole makes profiles of a block in which there is a spec.
func whole(block string) (out []string) {
	if strings.HasPrefix(block, "apiVersion:") {
		return []string{block}
	}
	const head = "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: sample}\nspec:\n  nodeSelector: {}\n"
	for _, section := range spec.Split(block, -1)[1:] {
		out = append(out, head+section)
	}
	return out
}
