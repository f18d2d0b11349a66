package hostops_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// pathsIn are the constants of package paths that lie directly below one of the folders.
func pathsIn(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "paths/paths.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"StateDir": paths.StateDir, "RunDir": paths.RunDir}
	found := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		sum, ok := spec.Values[0].(*ast.BinaryExpr)
		if !ok {
			return true
		}
		dir, named := sum.X.(*ast.Ident)
		name, literal := sum.Y.(*ast.BasicLit)
		if named && literal && slices.Contains(dirs, dir.Name) {
			found[spec.Names[0].Name] = folders[dir.Name] + strings.Trim(name.Value, `"`)
		}
		return true
	})
	return found
}

// TestEveryFileOfOursIsSweptAndLookedFor: a new one in our folders is on the list, or this
// fails.
func TestEveryFileOfOursIsSweptAndLookedFor(t *testing.T) {
	files := pathsIn(t, "StateDir", "RunDir")
	if len(files) < 10 {
		t.Fatalf("only %v", files)
	}
	left := []string{paths.LedgerAside, paths.AcceptedAside, paths.Disabled}
	for name, file := range files {
		if strings.HasSuffix(file, ".lock") {
			continue // they hold nothing, and go with their holders
		}
		h := fake.New()
		up(t, h, swappiness)
		stray := path.Join(path.Dir(file), atomicfile.TempName(path.Base(file), "0123456789abcdef"))
		h.PutFile(stray, "half of it")
		up(t, h, "")
		if _, there := h.File(stray); there {
			t.Errorf("%s: %s is still there", name, stray)
		}
		h = fake.New()
		h.PutDir(paths.StateDir, 0o700)
		h.PutDir(paths.RunDir, 0o700)
		h.PutFile(file, "")
		remains, err := open(t, h).Unclean()
		if told := slices.Contains(remains, file); err != nil || told == slices.Contains(left, file) {
			t.Errorf("%s: told %v of %v, %v", name, told, remains, err)
		}
	}
}
