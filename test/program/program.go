// Package program builds the programs for the tests and benchmarks that run them, as a
// release does: static, without symbols. It owns nothing else.
package program

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

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
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", name, err, out)
	}
	return file, nil
}
