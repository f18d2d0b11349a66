package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest   = regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*)`")
	writtenTest = regexp.MustCompile(`(?m)^func (Test[A-Z][A-Za-z0-9]*)\(`)
)

// A page that says which test shows something is believed: the test must be there.
func TestTheTestsThatThePagesNameAreThere(t *testing.T) {
	const root = "../.."
	written := map[string]bool{}
	walk(t, root, "_test.go", func(_, text string) {
		for _, m := range writtenTest.FindAllStringSubmatch(text, -1) {
			written[m[1]] = true
		}
	})
	named := 0
	walk(t, root, ".md", func(page, text string) {
		for _, m := range namedTest.FindAllStringSubmatch(text, -1) {
			if named++; !written[m[1]] {
				t.Errorf("%s names %s, which is nowhere", page, m[1])
			}
		}
	})
	if named == 0 || len(written) == 0 {
		t.Errorf("%d names in the pages, %d tests", named, len(written))
	}
}

func walk(t *testing.T, root, suffix string, see func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		text, err := os.ReadFile(path)
		see(path, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
