package sysctl_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// sandboxed marks a test process that runs in namespaces of its own.
const sandboxed = "HOSTPROFILE_SYSCTL_SANDBOX"

// inSandbox runs the calling test a second time, as a process with its own network and
// mounts, in which nothing of /proc/sys but net can be written. It returns true in that
// process. Skips unless root.
func inSandbox(t *testing.T) bool { t.Helper(); return inSandboxWith(t) }

// inSandboxWith is inSandbox with arguments of the test's own for that process.
func inSandboxWith(t *testing.T, args ...string) bool {
	t.Helper()
	if os.Getenv(sandboxed) == t.Name() {
		fence(t)
		return true
	}
	if os.Getuid() != 0 {
		t.Skip("needs root, for a network namespace")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("needs iproute2")
	}
	cmd := exec.Command("/proc/self/exe", append([]string{"-test.run=^" + t.Name() + "$", "-test.v"}, args...)...)
	cmd.Env = append(os.Environ(), sandboxed+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skipf("cannot make namespaces: %v", err)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skipf("%s", out)
	}
	if err != nil {
		t.Errorf("in the sandbox: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	return false
}

// fence makes sure that the test can change nothing of the machine that it runs on.
func fence(t *testing.T) {
	t.Helper()
	const sys, network = "/proc/sys", "/proc/sys/net"
	const readOnly = syscall.MS_REMOUNT | syscall.MS_BIND | syscall.MS_RDONLY
	mounts := []struct {
		source, target string
		flags          uintptr
	}{
		{"none", "/", syscall.MS_REC | syscall.MS_PRIVATE},
		{sys, sys, syscall.MS_BIND},
		{network, network, syscall.MS_BIND},
		{"none", sys, readOnly},
	}
	for _, m := range mounts {
		if err := syscall.Mount(m.source, m.target, "", m.flags, ""); err != nil {
			t.Fatalf("mount %s: %v", m.target, err)
		}
	}
	if err := os.WriteFile("/proc/sys/vm/swappiness", []byte("60"), 0); !errors.Is(err, syscall.EROFS) {
		t.Fatalf("the fence does not hold: %v", err)
	}
}

// run runs a program of the machine and fails the test with its output.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// kernel is the real kernel as seen from a sandbox.
type kernel struct {
	machine.Proc
	machine.Network
}

func realMachine() *machine.Machine { return &machine.Machine{Proc: kernel{}, Network: kernel{}} }

func (kernel) ReadProc(path string) ([]byte, error) { return os.ReadFile(path) }

func (kernel) ReadSysctl(path string) (string, error) {
	b, err := os.ReadFile(filepath.Join("/proc/sys", path))
	return strings.TrimSuffix(string(b), "\n"), err
}

func (kernel) WriteSysctl(path, value string) error {
	f, err := os.OpenFile(filepath.Join("/proc/sys", path), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value + "\n")
	err = errors.Join(err, f.Close())
	if errors.Is(err, syscall.EINVAL) {
		return errors.Join(machine.ErrInvalid, err)
	}
	return err
}

func (kernel) ListSysctl(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join("/proc/sys", path))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names, err
}

func (kernel) LinkIndex(name string) (int, error) {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return 0, errors.Join(fs.ErrNotExist, err)
	}
	return i.Index, nil
}

func (kernel) NewLinks(context.Context) (<-chan string, error) { return nil, nil }

// disk is the real file system, to read only.
type disk struct{ machine.Files }

func diskMachine() *machine.Machine { return &machine.Machine{Files: disk{}} }

func (disk) Read(path string) ([]byte, error)       { return os.ReadFile(path) }
func (disk) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }
func (disk) Readlink(path string) (string, error)   { return os.Readlink(path) }

func (disk) ReadDir(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}
