package assets_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/assets"
)

func TestUnknownNameIsRefusedWithTheKnownOnes(t *testing.T) {
	_, err := assets.ControlPlane(t.Context(), nil, "etcd", "kube-proxy")
	if err == nil {
		t.Fatal("no error for a binary without a recipe")
	}
	for _, want := range []string{`"kube-proxy"`, "kube-scheduler"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %s in: %v", want, err)
		}
	}
}

func TestInterruptedBuildLeavesNothingToMistakeForABinary(t *testing.T) {
	skipBuildIfShort(t)
	cache := useEmptyCache(t)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// Long enough for the go command to be at work, far too short for a link.
	soon := func() { time.AfterFunc(300*time.Millisecond, cancel) }
	_, err := assets.ControlPlane(ctx, onLine(soon, "building etcd"), "etcd")
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the error of the context", err)
	}
	if found := binariesBelow(t, cache); len(found) > 0 {
		t.Fatalf("published by an interrupted build: %v", found)
	}

	dir, err := assets.ControlPlane(t.Context(), t.Output(), "etcd")
	if err != nil {
		t.Fatalf("build after an interrupted one: %v", err)
	}
	version, err := exec.CommandContext(t.Context(), filepath.Join(dir, "etcd"), "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "etcd Version: 3.") {
		t.Fatalf("etcd --version: %q, %v", version, err)
	}
}

func TestConcurrentCallersBuildOnce(t *testing.T) {
	skipBuildIfShort(t)
	useEmptyCache(t)

	var said [3]strings.Builder
	var dirs [len(said)]string
	var errs [len(said)]error
	var callers sync.WaitGroup
	for i := range said {
		callers.Go(func() {
			dirs[i], errs[i] = assets.ControlPlane(t.Context(), &said[i], "etcd")
		})
	}
	callers.Wait()

	all := ""
	for i := range said {
		all += said[i].String()
		if errs[i] != nil || dirs[i] != dirs[0] {
			t.Errorf("caller %d got %q, %v; caller 0 got %q", i, dirs[i], errs[i], dirs[0])
		}
	}
	if n := strings.Count(all, "built etcd"); n != 1 {
		t.Errorf("built %d times:\n%s", n, all)
	}
	if n := strings.Count(all, "waiting for another build"); n != len(said)-1 {
		t.Errorf("%d callers waited:\n%s", n, all)
	}
}

func skipBuildIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: builds or downloads Kubernetes programs, minutes when cold")
	}
}

// useEmptyCache gives the test a cache folder of its own, yet leaves Go its
// build cache.
func useEmptyCache(t *testing.T) string {
	t.Helper()
	gocache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(gocache)))
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	return cache
}

// binariesBelow returns the files without a leading dot below root.
func binariesBelow(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// onLine returns a writer that calls do once text containing part is written.
func onLine(do func(), part string) writerFunc {
	return func(text []byte) {
		if strings.Contains(string(text), part) {
			do()
		}
	}
}

type writerFunc func(text []byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}

func ExampleControlPlane() {
	dir, err := assets.ControlPlane(context.Background(), os.Stderr)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("KUBEBUILDER_ASSETS=" + dir)
}
