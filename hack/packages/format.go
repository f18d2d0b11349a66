package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// format is a kind of package.
type format struct {
	name string
	// since joins a version and what came after it, so that the whole sorts between that
	// version and the next.
	since string
	// file is the name that the distributions give such a package.
	file func(version, arch string) string
	// arches are the architectures that are not spelled as in Go.
	arches map[string]string
}

var formats = []format{
	{
		name: "deb", since: "+",
		file: func(v, arch string) string { return "hostprofile_" + v + "_" + arch + ".deb" },
	},
	{
		name: "rpm", since: "^",
		file:   func(v, arch string) string { return "hostprofile-" + v + "-1." + arch + ".rpm" },
		arches: map[string]string{"amd64": "x86_64", "arm64": "aarch64"},
	},
}

func (f format) arch(goarch string) string {
	if a, ok := f.arches[goarch]; ok {
		return a
	}
	return goarch
}

// build writes one package and prints its name.
func (o order) build(ctx context.Context, stage string, f format) error {
	version := spell(o.version, f.since, o.date)
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	target := filepath.Join(o.out, f.file(version, f.arch(o.arch)))
	cmd := exec.CommandContext(ctx, "go", "tool", "-modfile=hack/tools/nfpm/go.mod", "nfpm", "package",
		"--config", "hack/packages/nfpm.yaml", "--packager", f.name, "--target", target)
	cmd.Env = append(os.Environ(), "VERSION="+version, "ARCH="+o.arch, "STAGE="+stage)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nfpm: %w: %s", err, out)
	}
	fmt.Println(target)
	return nil
}
