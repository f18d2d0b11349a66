package main_test

import (
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const linked = "github.com/hostprofile/hostprofile/cmd/bootstrap/internal/version.version"

// What is promised of the program file.
const (
	largest = 16 << 20
	soonest = 10 * time.Millisecond
)

// program builds the program as a release does, once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "bootstrap")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "bootstrap")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X "+linked+"=v9.8.7", "-o", file, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return file, nil
})

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if file, err := program(); err == nil {
			_ = os.RemoveAll(filepath.Dir(file))
		}
		os.Exit(code)
	}))
}

func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheProgramIsSmallAndStatic(t *testing.T) {
	file := built(t)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > largest {
		t.Errorf("%d bytes are more than %d", info.Size(), largest)
	}
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("it needs a dynamic linker")
		}
	}
}

func TestTheProgramStartsAtOnce(t *testing.T) {
	file := built(t)
	var took []time.Duration
	for range 40 {
		start := time.Now()
		out, err := exec.CommandContext(t.Context(), file, "version").Output()
		took = append(took, time.Since(start))
		if err != nil || !strings.HasPrefix(string(out), "bootstrap v9.8.7,") {
			t.Fatalf("%s, %v", out, err)
		}
	}
	best := slices.Min(took)
	t.Logf("fastest of 40: %v", best)
	if best > soonest {
		t.Errorf("the fastest of 40 took %v, more than %v", best, soonest)
	}
}

func TestTheExitCodeReachesTheCaller(t *testing.T) {
	err := exec.CommandContext(t.Context(), built(t), "plan", "--profile", "cillium").Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("%v, want 2", err)
	}
}
