package linux_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(entries)
}

// handles are the open handles by number, with what each is of. The one that reads the
// folder is gone when it is looked at.
func handles(t *testing.T) map[string]string {
	t.Helper()
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	must(t, err)
	open := map[string]string{}
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil {
			open[e.Name()] = target
		}
	}
	return open
}

// Machines that tests before this one forgot may close their handles meanwhile, so that
// not the number of handles is compared, but which there are.
func TestNoFileOperationLeavesAHandleOpen(t *testing.T) {
	root := t.TempDir()
	m, err := linux.New(root)
	must(t, err)
	must(t, os.Symlink("loop", filepath.Join(root, "loop")))
	must(t, os.Symlink("/f", filepath.Join(root, "link")))
	f := m.Files
	before := handles(t)
	for _, path := range []string{"/f", "/none/f", "/loop", "/link", "/loop/f", "/f/g", "/d", "bad"} {
		_ = f.Write(path, []byte("x"), 0o600)
		_ = f.WriteVolatile(path, []byte("y"), 0o600)
		_, _ = f.Read(path)
		_, _ = f.Lstat(path)
		_, _ = f.Readlink(path)
		_, _ = f.ReadDir(path)
		_, _ = f.Sweep(path)
		_ = f.Mkdir(path, 0o700)
		_ = f.Chmod(path, 0o700)
		_ = f.Rmdir(path)
		_ = f.Remove(path)
		_, _ = m.Proc.ReadProc(path)
		if release, err := m.Locks.TryLock(path, "x"); err == nil {
			must(t, release())
		}
	}
	_, _ = m.Proc.ReadProc("/proc/swaps")
	_, _ = m.Proc.ReadProc("/proc")
	_, _ = m.Proc.ListSysctl("vm")
	for number, target := range handles(t) {
		if before[number] != target {
			t.Errorf("handle %s is still open: %s", number, target)
		}
	}
}

func TestAMachineThatIsForgottenClosesItsHandles(t *testing.T) {
	before := openFiles(t)
	for range 50 {
		m, err := linux.New("/")
		must(t, err)
		_, err = m.Proc.ReadSysctl("kernel/ostype")
		must(t, err)
		_, err = m.Network.LinkIndex("lo")
		must(t, err)
	}
	if !eventually(func() bool { return openFiles(t) <= before+10 }) {
		t.Errorf("%d open before, %d after", before, openFiles(t))
	}
}

func TestSysctlsAreReadWithFewHandlesLeft(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	dir := "net/ipv4/conf/lo"
	names, err := m.Proc.ListSysctl(dir)
	must(t, err)
	limit := unix.Rlimit{Cur: uint64(openFiles(t) + 10), Max: uint64(openFiles(t) + 10)}
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	for range 2 {
		for _, name := range names {
			if _, err := m.Proc.ReadSysctl(dir + "/" + name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(names) < 20 {
		t.Errorf("only %d keys", len(names))
	}
}

// The error of a full disk names the file system, which is not the one that
// people look at first.
func TestAFullFileSystemIsNamed(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	w := newWorld(t)
	m := w.Machine()
	w.FillDisk()
	err := m.Files.Write("/etc/f", make([]byte, 1<<20), 0o600)
	if !errors.Is(err, machine.ErrNoSpace) || !strings.Contains(err.Error(), "mounted at "+w.root) || !strings.Contains(err.Error(), "/etc/f") {
		t.Errorf("error %v", err)
	}
}

// A file that replaces a directory on the way, or the other way round, is never
// followed out of the root.
func TestNoPathLeavesTheRoot(t *testing.T) {
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600))
	root := filepath.Join(outside, "root")
	must(t, os.MkdirAll(filepath.Join(root, "a", "b"), 0o755))
	for name, target := range map[string]string{
		"up": "..", "far": "../../../../../../../../..", "abs": outside, "deep": "a/b/../../..", "proc": "/proc/self/cwd",
	} {
		must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	m, err := linux.New(root)
	must(t, err)
	for _, path := range []string{"/up/secret", "/far/secret", "/abs/secret", "/deep/secret", "/far" + outside + "/secret", "/proc/secret"} {
		if b, err := m.Files.Read(path); err == nil {
			t.Errorf("%s reads %q", path, b)
		}
		if err := m.Files.Write(path, []byte("y"), 0o600); !errors.Is(err, machine.ErrNotRegular) {
			t.Errorf("write %s: %v", path, err)
		}
	}
}
