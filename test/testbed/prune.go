package testbed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Prune removes from the cache every image that no test uses now, half-built
// ones included, and the cgroup folders of tests that were killed. It says on w
// what it removes.
func Prune(w io.Writer) error {
	cache, err := cacheFolder()
	if err != nil {
		return err
	}
	locks, err := filepath.Glob(filepath.Join(cache, "*.lock"))
	if err != nil {
		return err
	}
	problems := []error{sweepCgroups()}
	for _, lock := range locks {
		problems = append(problems, pruneImage(w, strings.TrimSuffix(lock, ".lock")))
	}
	// Their users have them open and need no name.
	problems = append(problems, removeAll(filepath.Join(cache, diskPattern)))
	return errors.Join(problems...)
}

// pruneImage leaves the lock file: whoever waits for it would else wait for a
// file that others do not see.
func pruneImage(w io.Writer, dir string) error {
	lock, err := os.OpenFile(dir+".lock", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	name := filepath.Base(dir)
	if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		fmt.Fprintf(w, "%s is in use\n", name)
		return nil
	}
	for _, path := range []string{dir, dir + halfSuffix} {
		if !exists(path) {
			continue
		}
		fmt.Fprintf(w, "removing %s\n", filepath.Base(path))
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}
