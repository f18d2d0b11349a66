// Package rules holds the rules that the whole tree obeys, as tests.
package rules

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/hostprofile/hostprofile/"

// rule says what the packages below a folder must not import, directly or through
// others, and why.
type rule struct {
	packages string   // path below the module; "/..." for all below
	except   []string // paths that the rule does not bind
	direct   bool     // only the package's own imports count
	only     []string // if set: nothing outside the standard library but these
	forbid   []string
	why      string
}

var rules = []rule{
	{
		packages: "api/v1alpha1", only: []string{"k8s.io/apimachinery", module + "api/v1alpha1"}, direct: true,
		why: "bootstrap reads the same types before there is an API server",
	},
	{
		packages: "hostops/item", direct: true, only: []string{module + "hostops/item"},
		why: "the decisions are pure: no host, no library, no clock",
	},
	{
		packages: "hostops/machine", direct: true, only: []string{module + "hostops/machine"},
		why: "the effects are named here and made elsewhere",
	},
	{
		packages: "hostops/paths", direct: true, only: []string{},
		why: "a path is spelled once and depends on nothing",
	},
	{
		packages: "hostops/atomicfile", direct: true, only: []string{"golang.org/x/sys", module + "hostops/atomicfile"},
		why: "the one writer of files depends on the kernel only",
	},
	{
		packages: "hostops/facts", direct: true, only: []string{module + "hostops/machine", module + "hostops/paths", module + "hostops/facts"},
		why: "facts are read once through the machine and passed on as data",
	},
	{
		packages: "hostops/sysctl", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/kmod", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/file", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/dir", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/swap", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/mount", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/selinux", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/machine/filecontext", direct: true, only: []string{module + "hostops/machine/filecontext"}, forbid: effects,
		why: "it reads what it is given",
	},
	{
		packages: "hostops/nodeip", direct: true, only: operationImports, forbid: effects,
		why: "the choice is pure, and what is kept of it goes through the machine",
	},
	{
		packages: "hostops/hostname", direct: true, only: operationImports, forbid: effects,
		why: "the rules for a name are pure",
	},
	{
		packages: "hostops/tuned", direct: true, only: operationImports, forbid: effects,
		why: "it reads what others configure, through the machine",
	},
	{
		packages: "hostops/firewalld", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/unit", direct: true, only: operationImports, forbid: effects,
		why: "an operation reaches the host through the machine only",
	},
	{
		packages: "hostops/machine/zonefile", direct: true, only: []string{module + "hostops/machine"}, forbid: effects,
		why: "it reads what it is given",
	},
	{
		packages: "hostops/machine/linux", direct: true, forbid: []string{module + "hostops/item", module + "api", "k8s.io/", "sigs.k8s.io/"},
		why: "the real machine knows effects, not items",
	},
	{
		packages: "hostops/ledger", direct: true, forbid: []string{"k8s.io/", "sigs.k8s.io/", module + "hostops/machine/linux", "os", "os/exec"},
		why: "the ledger is tested on a machine in memory",
	},
	{
		packages: "hostops/engine", direct: true, forbid: []string{"k8s.io/", "sigs.k8s.io/", module + "hostops/machine/linux", "os", "os/exec"},
		why: "the engine is tested on a machine in memory",
	},
	{
		packages: "hostops/...", except: []string{"hostops/profile", "hostops"}, direct: true, forbid: []string{module + "api/v1alpha1"},
		why: "only compiling knows the API; all else works on hosts that never hear of Kubernetes",
	},
	{
		packages: "hostops/...", forbid: []string{"k8s.io/client-go", "sigs.k8s.io/controller-runtime", module + "controllers"},
		why: "host work does not depend on an API server",
	},
	{
		packages: "hostops/contention", direct: true, only: []string{module + "hostops/item"}, forbid: effects,
		why: "whether somebody fights is decided from what runs found",
	},
	{
		packages: "hostops/keep", direct: true, forbid: []string{module + "hostops/machine/linux", "os", "os/exec", "net"},
		why: "the loop of the agent and of the unit reaches the host through the front door",
	},
	{
		packages: "hostops/resident", direct: true, forbid: []string{module + "hostops/machine/linux", "os", "os/exec", "net"},
		why: "the loop of the agent and of the unit reaches the host through the front door",
	},
	{
		packages: "cmd/bootstrap/...", forbid: []string{"k8s.io/client-go", "k8s.io/api/", "sigs.k8s.io/controller-runtime", module + "controllers"},
		why: "bootstrap is a small static binary that runs before there is a cluster",
	},
	{
		packages: "controllers/...", direct: true, forbid: []string{module + "hostops/machine/linux", "os", "os/exec"},
		why: "controllers reach the host through the front door",
	},
}

var (
	operationImports = []string{module + "hostops/item", module + "hostops/machine", module + "hostops/paths"}
	effects          = []string{"os", "os/exec", "syscall", "net"}
)

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func TestImportsFollowTheRules(t *testing.T) {
	packages := list(t)
	for _, r := range rules {
		matched := false
		for _, p := range packages {
			if !r.binds(strings.TrimPrefix(p.ImportPath, module)) {
				continue
			}
			matched = true
			for _, bad := range r.broken(p) {
				t.Errorf("%s imports %s: %s", strings.TrimPrefix(p.ImportPath, module), bad, r.why)
			}
		}
		if !matched && r.packages != "controllers/..." {
			t.Errorf("the rule for %s binds no package", r.packages)
		}
	}
}

func (r rule) binds(path string) bool {
	for _, e := range r.except {
		if path == e {
			return false
		}
	}
	if below, ok := strings.CutSuffix(r.packages, "/..."); ok {
		return path == below || strings.HasPrefix(path, below+"/")
	}
	return path == r.packages
}

func (r rule) broken(p goPackage) []string {
	imports := p.Deps
	if r.direct {
		imports = p.Imports
	}
	var bad []string
	for _, imp := range imports {
		if contains(r.forbid, imp) || r.only != nil && !standard(imp) && !contains(r.only, imp) {
			bad = append(bad, imp)
		}
	}
	return bad
}

// contains reports whether path is one of the prefixes or below it.
func contains(prefixes []string, path string) bool {
	for _, p := range prefixes {
		if path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/") && strings.Contains(p, ".") {
			return true
		}
	}
	return false
}

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func list(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps,Standard", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
