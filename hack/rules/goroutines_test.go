package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What leaves a goroutine behind leaks in a program that runs for months. So whoever
// starts one has tests that end in failure if one is left.
func TestWhoStartsGoroutinesLooksForLeaks(t *testing.T) {
	const root = "../.."
	starts, looks := map[string]bool{}, map[string]bool{}
	walk(t, root, ".go", func(path, text string) {
		dir := filepath.Dir(path)
		switch {
		case strings.HasSuffix(path, "_test.go"):
			looks[dir] = looks[dir] || strings.Contains(text, "goleak.VerifyTestMain(m")
		case product(root, path):
			starts[dir] = starts[dir] || startsGoroutine(t, path, text)
		}
	})
	if !starts[filepath.Join(root, "hostops/keep")] {
		t.Error("hostops/keep starts goroutines, and is not seen to")
	}
	for dir := range starts {
		if starts[dir] && !looks[dir] {
			t.Errorf("%s starts goroutines: its TestMain must call goleak.VerifyTestMain", dir)
		}
	}
}

// product reports whether a file is of the programs, and not of their tests and tools.
func product(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	first, _, _ := strings.Cut(rel, "/")
	return err == nil && slices.Contains([]string{"cmd", "controllers", "hostops"}, first)
}

// startsGoroutine looks for the statement, and for the methods of the standard library
// that start one: WaitGroup.Go and context.AfterFunc.
func startsGoroutine(t *testing.T, path, text string) bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Go" || n.Sel.Name == "AfterFunc"
		}
		return !found
	})
	return found
}
