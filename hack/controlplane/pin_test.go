package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/assets"
)

func TestModuleFileFollowsUpstream(t *testing.T) {
	upstream := module{
		Go:      "1.26.0",
		GoDebug: []struct{ Key, Value string }{{"default", "go1.26"}},
		Replace: []struct{ Old, New reference }{
			{reference{Path: "k8s.io/api"}, reference{Path: "./staging/src/k8s.io/api"}},
			{reference{Path: "example.com/fork"}, reference{Path: "example.com/other", Version: "v1.0.0"}},
		},
	}
	text := moduleFile(upstream, "v1.38.0-alpha.1")
	for _, want := range []string{
		"\ngo 1.26.0\n",
		"\ngodebug default=go1.26\n",
		"\n\tk8s.io/kubernetes/cmd/kubelet\n",
		"\nrequire k8s.io/kubernetes v1.38.0-alpha.1\n",
		"\n\tk8s.io/api => k8s.io/api v0.38.0-alpha.1\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "example.com") {
		t.Errorf("a replace that is no staging module got in:\n%s", text)
	}
}

func TestCommittedModuleIsWhatPinWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: needs Kubernetes' module, by download if it is not in the module cache")
	}
	source, err := assets.ModuleDir()
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	if err := writePinned(t.Context(), scratch, committedVersion(t, source)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		want, got := readFile(t, scratch, name), readFile(t, source, name)
		if got != want {
			t.Errorf("%s was edited by hand or the generator has changed: run go run ./hack/controlplane pin", name)
		}
	}
}

func TestPinRefusesAnUnknownReleaseAndWritesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: asks the module proxy")
	}
	dir := t.TempDir()
	if err := writePinned(t.Context(), dir, "v1.37.999"); err == nil {
		t.Fatal("no error for a release that does not exist")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
}

func TestCheckVersionsRefusesAModulePastKubernetesOwn(t *testing.T) {
	dir := t.TempDir()
	text := "module example.com/m\n\nrequire example.com/grpc v1.83.2\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]error{"v1.83.2": nil, "v1.82.1": errVersions} {
		upstream := module{Require: []reference{{Path: "example.com/grpc", Version: version}}}
		if got := checkVersions(t.Context(), dir, upstream); !errors.Is(got, want) {
			t.Errorf("Kubernetes has %s: got %v, want %v", version, got, want)
		}
	}
}

// committedVersion returns the Kubernetes version of the nested module.
func committedVersion(t *testing.T, source string) string {
	t.Helper()
	m, err := readModule(t.Context(), source, "go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range m.Require {
		if r.Path == kubernetes {
			return r.Version
		}
	}
	t.Fatal("the nested module does not require " + kubernetes)
	return ""
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
