package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// function is the first cell of a row of the reference, and what it names.
	firstCell = regexp.MustCompile("(?m)^\\| ([^|]*`[^|]*) \\|")
	quoted    = regexp.MustCompile("`([A-Za-z.]+)`")
	// command is a run of tests that a page tells people to make.
	command = regexp.MustCompile("`go test ([^`]*)`")
	pattern = regexp.MustCompile(`-run ('[^']*'|\S+)`)
)

// The reference is what people program against: each name in it must be declared in hostops,
// or in the package below it that the name begins with.
func TestTheFunctionsOfTheReferenceAreThere(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := declarations(t, "../../hostops")
	named := 0
	for _, row := range firstCell.FindAllStringSubmatch(string(page), -1) {
		if strings.HasPrefix(row[1], "section ") {
			continue // of a profile
		}
		in := ""
		for _, m := range quoted.FindAllStringSubmatch(row[1], -1) {
			name := m[1]
			if pkg, rest, ok := strings.Cut(name, "."); ok && strings.ToLower(pkg) == pkg {
				in, name = pkg+".", rest
			}
			if named++; !declared[in+name] {
				t.Errorf("docs/reference.md names %s, which is nowhere in hostops", m[1])
			}
		}
	}
	if named < 40 {
		t.Errorf("only %d names found: the pattern does not fit the page any more", named)
	}
}

// declarations are the exported names of hostops and, after the name of their package, of
// those below it.
func declarations(t *testing.T, root string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	walk(t, root, ".go", func(path, text string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		prefix := f.Name.Name + "."
		if filepath.Dir(path) == root {
			prefix = ""
		}
		for _, d := range f.Decls {
			for _, name := range names(d) {
				out[prefix+name] = true
			}
		}
	})
	return out
}

// names are those that a declaration makes: of functions, methods, types with their fields,
// and variables.
func names(d ast.Decl) (out []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		return []string{f.Name.Name}
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			for _, n := range s.Names {
				out = append(out, n.Name)
			}
		case *ast.TypeSpec:
			out = append(out, s.Name.Name)
			if fields, ok := s.Type.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					for _, n := range f.Names {
						out = append(out, s.Name.Name+"."+n.Name)
					}
				}
			}
		}
	}
	return out
}

// A command that a page gives must run a test in each folder that it names.
func TestTheRunsOfTestsThatThePagesNameRunSome(t *testing.T) {
	given := 0
	walk(t, "../..", ".md", func(page, text string) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			line := strings.ReplaceAll(m[1], `\|`, "|") // in a table
			run := pattern.FindStringSubmatch(line)
			if run == nil {
				continue
			}
			given++
			match := regexp.MustCompile(strings.Trim(run[1], "'"))
			for _, folder := range strings.Fields(line) {
				if strings.HasPrefix(folder, "./") && !hasTest(t, filepath.Join("../..", folder), match) {
					t.Errorf("%s: go test %s: no test in %s", page, line, folder)
				}
			}
		}
	})
	if given < 10 {
		t.Errorf("only %d commands found: the pattern does not fit the pages any more", given)
	}
}

// hasTest reports whether a folder, itself, has a test of such a name.
func hasTest(t *testing.T, folder string, match *regexp.Regexp) bool {
	t.Helper()
	found := false
	walk(t, folder, "_test.go", func(path, text string) {
		if filepath.Dir(path) != filepath.Clean(folder) {
			return
		}
		for _, m := range writtenTest.FindAllStringSubmatch(text, -1) {
			found = found || match.MatchString(m[1])
		}
	})
	return found
}
