package linux_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// inside marks a process that runs in the sandbox. Its value is the network namespace
// that it must not be in.
const inside = "HOSTPROFILE_TEST_OUTSIDE"

// sandboxed runs the rest of a test in a network and mount namespace of its own, in
// which /proc/sys is read-only but for net. It returns true in there, and false, after
// the test there has ended, outside. Without root it skips.
//
// The processes are the test binary itself, so that the test needs no other program.
func sandboxed(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inside) != "" {
		guard(t)
		return true
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=120s")
	cmd.Env = append(os.Environ(), inside+"="+networkNamespace(t), "TMPDIR="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:   unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
		Pdeathsig:    syscall.SIGKILL,
		Unshareflags: 0,
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skipf("namespaces are not allowed here: %v", err)
	}
	t.Logf("in the sandbox:\n%s", out)
	if err != nil {
		t.Fatal(err)
	}
	return false
}

// guard makes sure that the machine's own sysctls and mounts are out of reach.
func guard(t *testing.T) {
	t.Helper()
	if networkNamespace(t) == os.Getenv(inside) {
		t.Fatal("this is the machine's own network namespace")
	}
	err := errors.Join(
		mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE),
		mount("/proc/sys", "/proc/sys", "", unix.MS_BIND),
		mount("/proc/sys/net", "/proc/sys/net", "", unix.MS_BIND),
		mount("", "/proc/sys", "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY),
	)
	if err != nil {
		t.Fatal(err)
	}
}

func networkNamespace(t *testing.T) string {
	t.Helper()
	ns, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	return ns
}

func mount(source, target, kind string, flags uintptr) error {
	if err := unix.Mount(source, target, kind, flags, ""); err != nil {
		return fmt.Errorf("mount %s on %s: %w", source, target, err)
	}
	return nil
}

// freshRoot mounts an empty file system of 64 MiB with the directories of a host.
func freshRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	must(t, unix.Mount("root", root, "tmpfs", 0, "size=64m,mode=755"))
	t.Cleanup(func() { must(t, unix.Unmount(root, unix.MNT_DETACH)) })
	for _, dir := range []string{"etc", "run", "var"} {
		must(t, os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	must(t, os.Mkdir(filepath.Join(root, "var/lib"), 0o755))
	return root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually asks a question whose answer the garbage collector may change.
func eventually(yes func() bool) bool {
	for range 100 {
		runtime.GC()
		if yes() {
			return true
		}
		runtime.Gosched()
	}
	return false
}
