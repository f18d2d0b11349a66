package control

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File returns where a file or folder of the repository is, seen from a test anywhere in
// it. It has to exist.
func File(name string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("find the repository: no go.mod above the working folder")
		}
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find a file of the repository: %w", err)
	}
	return path, nil
}
