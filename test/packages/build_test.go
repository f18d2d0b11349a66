package packages_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The versions of the story.
const (
	older = "v0.1.0"
	newer = "v0.2.0-3-gabcdef0"
)

// built is a folder with the packages of both versions, each in a folder of its own.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hostprofile-packages-test-")
	if err != nil {
		return "", err
	}
	return dir, errors.Join(build(dir, older), build(dir, newer))
})

// build makes the packages as a release does.
func build(dir, version string) error {
	cmd := exec.Command("make", "--no-print-directory", "packages", "VERSION="+version, "DIST="+filepath.Join(dir, version))
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New(string(out))
	}
	return nil
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// find returns the one package of a version that has the suffix.
func find(t *testing.T, version, suffix string) string {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, version, "*"+suffix))
	if err != nil || len(found) != 1 {
		t.Fatalf("packages of %s: %q, %v", version, found, err)
	}
	return found[0]
}

func TestTheNamesAreThoseOfTheDistributions(t *testing.T) {
	needsBuild(t)
	for suffix, want := range map[string]string{
		".deb": "hostprofile_0.2.0+3.gabcdef0_amd64.deb", ".rpm": "hostprofile-0.2.0^3.gabcdef0-1.x86_64.rpm",
	} {
		if got := filepath.Base(find(t, newer, suffix)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTheSameCommitGivesTheSameBytes(t *testing.T) {
	needsBuild(t)
	again := t.TempDir()
	if err := build(again, older); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{".deb", ".rpm"} {
		first := find(t, older, suffix)
		a, err := os.ReadFile(first)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(again, older, filepath.Base(first)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("two builds of the %s differ", strings.TrimPrefix(suffix, "."))
		}
	}
}

func needsBuild(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the packages: not with -short")
	}
}
