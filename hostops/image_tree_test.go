package hostops_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// newTree makes a small file system of a host that does not run. Its links are absolute, so
// that they lead out of it for everybody who does not keep to its root.
func newTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(root, 0o755))
	for _, dir := range []string{"etc/systemd/system", "opt/lib/systemd", "usr/local/bin", "var/lib", "run"} {
		must(os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	must(os.Symlink("/opt/lib", filepath.Join(root, "lib")))
	must(os.WriteFile(filepath.Join(root, "opt/lib/systemd/systemd"), nil, 0o755))
	must(os.WriteFile(filepath.Join(root, "etc/machine-id"), []byte(machineOne), 0o444))
	return root
}

// listTree is all of a tree: names, modes, links and contents.
func listTree(t *testing.T, root string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		body, _ := os.Readlink(path)
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			body = string(text)
			if len(body) > 1<<16 {
				body = fmt.Sprint(len(body), " bytes")
			}
		}
		fmt.Fprintf(&out, "%s %s %q\n", strings.TrimPrefix(path, root), info.Mode(), body)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func treeHost(t *testing.T, root string) *hostops.Host {
	t.Helper()
	h, err := hostops.Open(t.Context(), hostops.Options{Root: root, Tree: true, Version: "test", Holder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestEqualTreesBecomeEqual holds a real tree against another one, and after down against
// what it was.
func TestEqualTreesBecomeEqual(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: what is written belongs to root, and so must the folders above it")
	}
	const spec = `sysctls: [{name: vm.swappiness, value: 10}], kernelModules: [{name: br_netfilter}], directories: [{path: /opt/cni/bin}]`
	a, b := newTree(t), newTree(t)
	before := listTree(t, a)
	for _, root := range []string{a, b} {
		r, err := treeHost(t, root).Up(t.Context(), site(t, spec), hostops.UpOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, res := range r.Results() {
			// The folders above that of a test are everybody's, but those are not the tree's.
			if res.Outcome != item.Changed && res.Outcome != item.Right {
				t.Errorf("%s is %s: %s", res.Key, res.Outcome, res.Message)
			}
		}
	}
	prepared := listTree(t, a)
	if other := listTree(t, b); prepared != other {
		t.Errorf("one tree is\n%s\nthe other\n%s", prepared, other)
	}
	for _, want := range []string{"/etc/sysctl.d/zz-hostprofile.conf -rw-r--r--", "/usr/local/bin/bootstrap -rwxr-xr-x", `multi-user.target.wants/hostprofile.service Lrwxrwxrwx "/etc/systemd/system/hostprofile.service"`, "/opt/cni/bin drwxr-xr-x"} {
		if !strings.Contains(prepared, want) {
			t.Errorf("there is no %s in\n%s", want, prepared)
		}
	}
	if _, err := treeHost(t, a).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	if after := listTree(t, a); after != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", after, before)
	}
}
