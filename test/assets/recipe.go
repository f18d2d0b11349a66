package assets

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Binary is a program that the nested module can build.
type Binary struct {
	// Name is the file name that envtest and people expect.
	Name string
	// Package is the import path of its main package.
	Package string
}

const defaultCount = 3

// Binaries returns everything that [ControlPlane] can build, cheapest first
// within [Default] and after it.
func Binaries() []Binary {
	return []Binary{
		{Name: "etcd", Package: "go.etcd.io/etcd/server/v3"},
		{Name: "kube-apiserver", Package: "k8s.io/kubernetes/cmd/kube-apiserver"},
		{Name: "kubectl", Package: "k8s.io/kubernetes/cmd/kubectl"},
		{Name: "kube-controller-manager", Package: "k8s.io/kubernetes/cmd/kube-controller-manager"},
		{Name: "kube-scheduler", Package: "k8s.io/kubernetes/cmd/kube-scheduler"},
		{Name: "kubelet", Package: "k8s.io/kubernetes/cmd/kubelet"},
	}
}

// Default returns the binaries that envtest needs: etcd, kube-apiserver and
// kubectl.
func Default() []Binary {
	return Binaries()[:defaultCount]
}

// binariesNamed returns the binaries of the given names in the order of
// [Binaries], each once; those of [Default] for no name.
func binariesNamed(names []string) ([]Binary, error) {
	if len(names) == 0 {
		return Default(), nil
	}
	var known []string
	var chosen []Binary
	for _, binary := range Binaries() {
		known = append(known, binary.Name)
		if slices.Contains(names, binary.Name) {
			chosen = append(chosen, binary)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no recipe for %q: the known binaries are %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// release is the version of Kubernetes that the nested module pins.
type release struct {
	Version string    // of the module k8s.io/kubernetes, such as v1.37.2
	Time    time.Time // of its commit
}

// buildFlags returns the flags of every `go build` here. They are the same for
// all binaries, since a package compiled with other flags is compiled again, and
// the tags are those of Kubernetes' own release build (hack/lib/golang.sh).
func buildFlags(r release) []string {
	return []string{
		"-v", "-trimpath", "-buildvcs=false",
		"-tags", "selinux,notest,grpcnotrace",
		"-ldflags", strings.Join(append([]string{"-s", "-w"}, versionFlags(r)...), " "),
	}
}

// versionFlags returns the linker flags of Kubernetes' hack/lib/version.sh.
// Without them the programs call themselves v0.0.0-master and refuse to work
// together. The date is the release's, so that equal inputs give equal files;
// gitCommit is left alone, since a module does not tell it.
func versionFlags(r release) []string {
	major, rest, _ := strings.Cut(strings.TrimPrefix(r.Version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	vars := [][2]string{
		{"gitVersion", r.Version},
		{"gitMajor", major},
		{"gitMinor", minor},
		{"gitTreeState", "clean"},
		{"buildDate", r.Time.UTC().Format(time.RFC3339)},
	}
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, v := range vars {
			flags = append(flags, "-X", pkg+"."+v[0]+"="+v[1])
		}
	}
	return flags
}

// buildEnv returns what is set for every go command here. GOFLAGS has to hold
// something: an empty one gives way to the user's `go env -w`.
func buildEnv() []string {
	return []string{"CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=readonly"}
}

// goCommand prepares a go command that runs in the nested module.
func goCommand(cmd *exec.Cmd, source string) *exec.Cmd {
	cmd.Dir = source
	cmd.Env = append(cmd.Environ(), buildEnv()...)
	return cmd
}
