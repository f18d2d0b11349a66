package linux_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// insideVariable says that the test runs in the container already.
const insideVariable = "HOSTPROFILE_TEST_INSIDE"

// TestTheRealSystemdKeepsTheContract plays the contract on the systemd of a container.
func TestTheRealSystemdKeepsTheContract(t *testing.T) {
	if !inContainer(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	contract.RunUnits(t, func(t *testing.T) contract.UnitWorld {
		w := unitWorld{t, m}
		t.Cleanup(w.reset)
		return w
	})
}

// inContainer runs the rest of a test by the same program in a container. It returns
// false outside, after the test there has ended.
func inContainer(t *testing.T) bool {
	t.Helper()
	if os.Getenv(insideVariable) != "" {
		return true
	}
	c := testbed.StartContainer(t, testbed.ContainerOptions{})
	self, err := os.Executable()
	must(t, err)
	const there = "/run/test/linux.test"
	must(t, c.Push(t.Context(), self, there, 0o755))
	r, err := c.Run(t.Context(), "env", insideVariable+"=1", there, "-test.v", "-test.run", "^"+t.Name()+"$")
	must(t, err)
	t.Log(r.Stdout, r.Stderr)
	if r.ExitCode != 0 || !strings.Contains(r.Stdout, "--- PASS") {
		t.Errorf("in the container it ended with %d", r.ExitCode)
	}
	return false
}

// unitWorld is the container that the test runs in.
type unitWorld struct {
	t *testing.T
	m *machine.Machine
}

func (w unitWorld) Machine() *machine.Machine { return w.m }

func (w unitWorld) PutFile(path, content string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(w.t, os.WriteFile(path, []byte(content), 0o644))
}

func (w unitWorld) PutLink(path, target string) {
	w.t.Helper()
	must(w.t, os.Symlink(target, path))
}

func (w unitWorld) Delete(path string) {
	w.t.Helper()
	must(w.t, os.RemoveAll(path))
}

// reset makes the next sentence find no unit.
func (w unitWorld) reset() {
	for _, path := range []string{"", ".d"} {
		w.Delete("/etc/systemd/system/" + contract.UnitName + path)
	}
	ctx := context.WithoutCancel(w.t.Context())
	must(w.t, w.m.Units.StopUnit(ctx, contract.UnitName))
	must(w.t, w.m.Units.ReloadUnits(ctx))
}

// systemdRoot is a root in which systemd seems to run, with a socket that nobody answers.
func systemdRoot(t *testing.T) (root string, l net.Listener) {
	t.Helper()
	root = t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, "run/systemd/system"), 0o755))
	l, err := net.Listen("unix", filepath.Join(root, "run/systemd/private"))
	must(t, err)
	t.Cleanup(func() { _ = l.Close() }) // a test may have closed it
	return root, l
}

func TestASilentSystemdIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for half a minute: not with -short")
	}
	root, _ := systemdRoot(t)
	m, err := linux.New(root)
	must(t, err)
	start := time.Now()
	_, err = m.Units.Unit(t.Context(), contract.UnitName)
	if took := time.Since(start); err == nil || took > time.Minute || !strings.Contains(err.Error(), "systemd did not answer within 25s") {
		t.Errorf("after %s: %v", took, err)
	}
}

func TestWithoutSystemdNothingIsAsked(t *testing.T) {
	root, l := systemdRoot(t)
	for _, gone := range []func(){
		func() { must(t, l.Close()) },
		func() { must(t, os.RemoveAll(filepath.Join(root, "run/systemd"))) },
	} {
		gone()
		m, err := linux.New(root)
		must(t, err)
		if _, err := m.Units.Unit(t.Context(), contract.UnitName); !errors.Is(err, machine.ErrNoSystemd) {
			t.Errorf("%v", err)
		}
	}
}
