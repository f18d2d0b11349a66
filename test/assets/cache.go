package assets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// modulePath is where the nested module is in this repository, and what tells
// this repository from others.
const modulePath = "test/controlplane/go.mod"

var errNoModule = errors.New("find " + modulePath + ": run this inside the source tree of hostprofile")

// ModuleDir returns the folder of the nested module test/controlplane in the
// source tree that this package was compiled from or, when -trimpath removed
// that path, in the one around the working directory.
func ModuleDir() (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		if dir, ok := moduleBelow(filepath.Join(filepath.Dir(file), "..", "..")); ok {
			return dir, nil
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", modulePath, err)
	}
	for parent := ""; parent != dir; dir, parent = filepath.Dir(dir), dir {
		if found, ok := moduleBelow(dir); ok {
			return found, nil
		}
	}
	return "", errNoModule
}

func moduleBelow(root string) (string, bool) {
	file := filepath.Join(root, filepath.FromSlash(modulePath))
	_, err := os.Stat(file)
	return filepath.Dir(file), err == nil
}

// cacheDir returns the folder for what the nested module in source builds with
// this recipe and this Go. It neither creates nor reads it.
func cacheDir(ctx context.Context, source string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache folder: %w", err)
	}
	toolchain, err := goCommand(exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOEXPERIMENT",
		"GOOS", "GOARCH", "GOAMD64", "GOARM64"), source).Output()
	if err != nil {
		return "", fmt.Errorf("ask the go command for its version: %w", withStderr(err))
	}
	key := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", fmt.Errorf("read the nested module: %w", err)
		}
		fmt.Fprintf(key, "%s %d\n%s", name, len(text), text)
	}
	// The release is part of go.mod, so the flags of the zero release will do.
	fmt.Fprintf(key, "%s%q%q%q", toolchain, Binaries(), buildFlags(release{}), buildEnv())
	hash := hex.EncodeToString(key.Sum(nil))[:16]
	return filepath.Join(base, "hostprofile", "controlplane", hash), nil
}

// withStderr adds what a command run by Output said before it failed.
func withStderr(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}
