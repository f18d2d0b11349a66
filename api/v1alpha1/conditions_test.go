package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

func TestEveryReasonIsExplainedExactlyOnce(t *testing.T) {
	explained := map[v1alpha1.Reason]int{}
	for _, info := range v1alpha1.Reasons() {
		explained[info.Reason]++
	}
	declared := declaredReasons(t)
	if len(declared) < 50 {
		t.Fatalf("only %d constants were found", len(declared))
	}
	for _, reason := range declared {
		if explained[reason] != 1 {
			t.Errorf("%s is explained %d times", reason, explained[reason])
		}
		delete(explained, reason)
	}
	for reason := range explained {
		t.Errorf("%s is explained and has no constant", reason)
	}
}

func TestEveryReasonSaysWhatItMeansAndWhatIsBadSaysWhatToDo(t *testing.T) {
	word := regexp.MustCompile(`^[A-Z][A-Za-z]+$`) // what a condition's reason may be
	for _, info := range v1alpha1.Reasons() {
		if !word.MatchString(string(info.Reason)) {
			t.Errorf("%q is no reason of a condition", info.Reason)
		}
		if info.Meaning == "" || strings.HasSuffix(info.Meaning, ".") {
			t.Errorf("%s means %q", info.Reason, info.Meaning)
		}
		bad := info.Severity == v1alpha1.SeverityError || info.Severity == v1alpha1.SeverityWarning
		if bad && info.Next == "" {
			t.Errorf("%s is %s and says nothing about what to do", info.Reason, info.Severity)
		}
	}
}

func TestSeverityOfReasons(t *testing.T) {
	for reason, want := range map[v1alpha1.Reason]v1alpha1.Severity{
		v1alpha1.ReasonAllApplied:           v1alpha1.SeverityFine,
		v1alpha1.ReasonSwapRetained:         v1alpha1.SeverityFine,
		v1alpha1.ReasonKeyNotFound:          v1alpha1.SeverityError,
		v1alpha1.ReasonOverriddenByFile:     v1alpha1.SeverityError,
		v1alpha1.ReasonOverriddenAtNextBoot: v1alpha1.SeverityWarning,
		v1alpha1.ReasonHeld:                 v1alpha1.SeverityState,
	} {
		if info, known := v1alpha1.LookUpReason(reason); !known || info.Severity != want {
			t.Errorf("%s: have %s, want %s", reason, info.Severity, want)
		}
	}
	if _, known := v1alpha1.LookUpReason("FromTheFuture"); known {
		t.Error("a reason of another version is known")
	}
}

// declaredReasons returns the value of every constant of type Reason in this package.
func declaredReasons(t *testing.T) []v1alpha1.Reason {
	t.Helper()
	var reasons []v1alpha1.Reason
	for _, file := range goFiles(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := spec.Type.(*ast.Ident); ok && name.Name == "Reason" && len(spec.Values) == 1 {
				text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				reasons = append(reasons, v1alpha1.Reason(text))
			}
			return false
		})
	}
	return reasons
}

func goFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files = append(files, name)
		}
	}
	return files
}
