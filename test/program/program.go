// Package program builds the programs of this repository for those who run them in tests,
// benchmarks and the demo, as a release does: static, without symbols. It owns nothing
// else.
package program

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// raceVariable asks for programs that look for data races of their own. They are not
// static: only hosts with the C library of this one can run them. A program that finds a
// race ends with 66.
const raceVariable = "HOSTPROFILE_RACE"

const commands = "github.com/hostprofile/hostprofile/cmd/"

// Build builds bootstrap into a folder and returns the path of the program.
func Build(ctx context.Context, dir string) (string, error) { return build(ctx, dir, "bootstrap") }

// BuildManager builds manager into a folder and returns the path of the program.
func BuildManager(ctx context.Context, dir string) (string, error) {
	return build(ctx, dir, "manager")
}

func build(ctx context.Context, dir, name string) (string, error) {
	file := filepath.Join(dir, name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, commands+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if os.Getenv(raceVariable) != "" {
		cmd.Args = slices.Insert(cmd.Args, 2, "-race")
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1") // which the detector needs
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", name, err, out)
	}
	return file, nil
}
