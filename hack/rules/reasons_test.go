package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// spelled finds a reason that host code gives: what is assigned to something whose name
// ends with Reason, alone or as the last of two.
var spelled = regexp.MustCompile(`\bReason(?:: *| = |\()(?:[^"\n]*, )?"([A-Z][A-Za-z]+)"`)

// TestEveryReasonIsExplained: a reason that a person sees has a meaning and a next step.
// The loader's are words of its own, for files.
func TestEveryReasonIsExplained(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../../hostops", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/profile/") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range spelled.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, ok := v1alpha1.LookUpReason(v1alpha1.Reason(m[1])); !ok {
				t.Errorf("%s gives the reason %s, which the table does not explain", strings.TrimPrefix(path, "../../"), m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 10 {
		t.Errorf("only %d reasons found: the pattern does not fit the code any more", found)
	}
}
