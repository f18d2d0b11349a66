package testbed_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestSandboxRefusesKernelSysctls(t *testing.T) {
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return
	}
	for _, path := range []string{"/proc/sys/kernel/panic", "/proc/sys/vm/swappiness", "/proc/sys/fs/file-max"} {
		// Opening changes nothing, even where the guard is missing.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_ = f.Close()
		}
		if !errors.Is(err, syscall.EROFS) {
			t.Errorf("open %s for writing: got %v, want %v", path, err, syscall.EROFS)
		}
	}
}

func TestSandboxHasNetSysctlsOfItsOwn(t *testing.T) {
	const path = "/proc/sys/net/ipv4/ip_forward"
	outside := read(t, path)
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		if got := read(t, path); got != outside {
			t.Errorf("the machine's ip_forward changed from %q to %q", outside, got)
		}
		return
	}
	for _, want := range []string{"1", "0"} {
		if err := os.WriteFile(path, []byte(want), 0); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != want {
			t.Errorf("ip_forward is %q after writing %q", got, want)
		}
	}
}

func TestSandboxForgetsChangesOfSystemFolders(t *testing.T) {
	files := []string{"/etc/hostprofile-testbed", "/run/hostprofile-testbed", "/var/lib/hostprofile-testbed"}
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		for _, path := range files {
			if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is on the machine: %v", path, err)
				_ = os.Remove(path)
			}
		}
		return
	}
	if _, err := os.Stat("/etc/os-release"); err != nil {
		t.Errorf("the machine's own /etc is not seen: %v", err)
	}
	for _, path := range files {
		if err := os.WriteFile(path, []byte("sandbox"), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func TestSandboxCoversFurtherFolders(t *testing.T) {
	// Not t.TempDir, which would be another one in the sandbox.
	covered, emptied := os.Getenv("COVERED"), os.Getenv("EMPTIED")
	if covered == "" {
		covered, emptied = t.TempDir(), t.TempDir()
		t.Setenv("COVERED", covered)
		t.Setenv("EMPTIED", emptied)
		write(t, filepath.Join(covered, "file"), "machine")
		write(t, filepath.Join(emptied, "file"), "machine")
	}
	if testbed.Reexec(t, testbed.SandboxOptions{Overlay: []string{covered}, Empty: []string{emptied}}) {
		if got := read(t, filepath.Join(covered, "file")); got != "machine" {
			t.Errorf("the covered file became %q", got)
		}
		return
	}
	if got := read(t, filepath.Join(covered, "file")); got != "machine" {
		t.Errorf("the covered file reads %q", got)
	}
	write(t, filepath.Join(covered, "file"), "sandbox")
	if _, err := os.Stat(filepath.Join(emptied, "file")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the emptied folder shows its file: %v", err)
	}
}

func TestReexecWorksInSubtests(t *testing.T) {
	t.Run("with spaces and (signs)", func(t *testing.T) {
		if testbed.Reexec(t, testbed.SandboxOptions{}) {
			return
		}
		if name, err := os.Hostname(); err != nil || name != "hostprofile-sandbox" {
			t.Errorf("host name %q, %v", name, err)
		}
	})
}

func TestSandboxWithSharedNetworkRefusesAllSysctls(t *testing.T) {
	sandbox := newSandbox(t, testbed.SandboxOptions{SharedNetwork: true})
	result, err := sandbox.Run(t.Context(), "test", "-w", "/proc/sys/net/ipv4/ip_forward")
	if err != nil || result.ExitCode != 1 {
		t.Errorf("the machine's net sysctls are writable: status %d, %v", result.ExitCode, err)
	}
}

func TestSandboxReportsExitCodesAndOutput(t *testing.T) {
	sandbox := newSandbox(t, testbed.SandboxOptions{})
	result, err := sandbox.Run(t.Context(), "sh", "-c", "echo out; echo err >&2; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if want := (testbed.Result{Stdout: "out\n", Stderr: "err\n", ExitCode: 3}); result != want {
		t.Errorf("got %+v, want %+v", result, want)
	}
}

func TestSandboxEndsWhatItStarted(t *testing.T) {
	sandbox := newSandbox(t, testbed.SandboxOptions{})
	seconds := "31536" + strconv.Itoa(os.Getpid())
	result, err := sandbox.Run(t.Context(), "sh", "-c", "setsid sleep "+seconds+" >/dev/null 2>&1 &")
	if err != nil || result.ExitCode != 0 {
		t.Fatalf("start: %+v, %v", result, err)
	}
	if len(processesWith(t, seconds)) == 0 {
		t.Fatal("the background program does not run")
	}
	if err := sandbox.Close(); err != nil {
		t.Fatal(err)
	}
	if running := processesWith(t, seconds); len(running) > 0 {
		t.Errorf("still running: %v", running)
	}
}

func newSandbox(t *testing.T, o testbed.SandboxOptions) *testbed.Sandbox {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	sandbox, err := testbed.NewSandbox(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	return sandbox
}

// processesWith are the processes of this machine that have word as an argument.
func processesWith(t *testing.T, word string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		line, _ := os.ReadFile(file) // it may have ended
		if strings.Contains(string(line), word) {
			found = append(found, file)
		}
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(content))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestSandboxDoOpensWhatIsTheSandboxs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	s, err := testbed.NewSandbox(t.Context(), testbed.SandboxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var inside *os.File
	var l net.Listener
	err = s.Do(func() (err error) {
		if l, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
			return err
		}
		inside, err = os.Open("/proc/sys/net/ipv4/ip_forward")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = inside.Close(), l.Close() }()
	if c, err := net.Dial("tcp4", l.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("the machine reaches a listener of the sandbox")
	}
	outside := read(t, "/proc/sys/net/ipv4/ip_forward")
	other := map[string]string{"0": "1", "1": "0"}[outside]
	if r, err := s.Run(t.Context(), "sh", "-c", "echo "+other+" >/proc/sys/net/ipv4/ip_forward"); err != nil || r.ExitCode != 0 {
		t.Fatal(r, err)
	}
	got := make([]byte, 1)
	if _, err := inside.ReadAt(got, 0); err != nil || string(got) != other {
		t.Errorf("ip_forward is %q, want the sandbox's %q: %v", got, other, err)
	}
}
