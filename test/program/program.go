// Package program builds bootstrap for the tests and benchmarks that run it, as a
// release does: static, without symbols. It owns nothing else.
package program

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const bootstrap = "github.com/hostprofile/hostprofile/cmd/bootstrap"

// Build builds bootstrap into a folder and returns the path of the program.
func Build(ctx context.Context, dir string) (string, error) {
	file := filepath.Join(dir, "bootstrap")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, bootstrap)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build bootstrap: %w: %s", err, out)
	}
	return file, nil
}
