package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// binary is the static bootstrap of this tree.
type binary struct{ dir, path string }

func buildBootstrap(ctx context.Context) (binary, error) {
	say("Building bootstrap")
	dir, err := os.MkdirTemp("", "hostprofile-demo-")
	if err != nil {
		return binary{}, err
	}
	b := binary{dir: dir, path: filepath.Join(dir, "bootstrap")}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.path, "./cmd/bootstrap")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		_ = os.RemoveAll(dir)
		return binary{}, fmt.Errorf("build bootstrap: %w", err)
	}
	return b, nil
}
