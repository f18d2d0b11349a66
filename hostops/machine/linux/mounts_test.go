package linux_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestTheRealMountsKeepTheContract(t *testing.T) {
	contract.RunMounts(t, func(t *testing.T) contract.MountWorld {
		if !ownMounts(t) {
			return nil
		}
		return mountWorld{t}
	})
}

// ownMounts runs the rest of a test where the first process, whose mounts are changed, is
// the sandbox's. It returns false outside, after the test there has ended.
func ownMounts(t *testing.T) bool {
	t.Helper()
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return false
	}
	guardMounts(t)
	return true
}

// guardMounts makes sure that the first process is the one that every sandbox has.
func guardMounts(t *testing.T) {
	t.Helper()
	line, err := os.ReadFile("/proc/1/cmdline")
	must(t, err)
	if !bytes.HasSuffix(line, []byte("sleep\x00infinity\x00")) {
		t.Fatalf("the first process is %q: this is no sandbox", line)
	}
}

// mountWorld is the sandbox that the test runs in.
type mountWorld struct{ t *testing.T }

func (w mountWorld) Machine() *machine.Machine {
	w.t.Helper()
	m, err := linux.New("/")
	must(w.t, err)
	return m
}

func (w mountWorld) MountNew(kind, path string) {
	w.t.Helper()
	must(w.t, mount(kind, path, kind, 0))
	must(w.t, mount("", path, "", unix.MS_PRIVATE))
}

// Enslave makes / shared, copies it so that it has a peer, and then a slave of that.
func (w mountWorld) Enslave(shared bool) {
	w.t.Helper()
	if err := os.Mkdir("/run/peer", 0o755); err == nil {
		must(w.t, mount("", "/", "", unix.MS_SHARED))
		must(w.t, mount("/", "/run/peer", "", unix.MS_BIND))
		must(w.t, mount("", "/", "", unix.MS_SLAVE))
	}
	if shared {
		must(w.t, mount("", "/", "", unix.MS_SHARED))
	}
}

// elsewhere marks a test that runs in a mount namespace of its own within the sandbox.
const elsewhere = "HOSTPROFILE_TEST_ELSEWHERE"

// What a pod mounts in its own namespace vanishes with it.
func TestMountsAreMadeWhereTheFirstProcessIs(t *testing.T) {
	if os.Getenv(elsewhere) != "" {
		mountFromElsewhere(t)
		return
	}
	if !ownMounts(t) {
		return
	}
	before := bpfMounts(t, "/proc/1/mountinfo")
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), elsewhere+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("in the other namespace: %v\n%s", err, out)
	}
	if after := bpfMounts(t, "/proc/1/mountinfo"); after != before+1 {
		t.Errorf("the first process sees %d mounts, and saw %d before", after, before)
	}
}

func mountFromElsewhere(t *testing.T) {
	guardMounts(t)
	before, err := os.Readlink("/proc/self/ns/mnt")
	must(t, err)
	if first, err := os.Readlink("/proc/1/ns/mnt"); err != nil || first == before {
		t.Fatalf("this is the namespace of the first process: %v", err)
	}
	m, err := linux.New("/")
	must(t, err)
	own := bpfMounts(t, "/proc/self/mountinfo")
	must(t, m.Mounts.MountBPF("/sys/fs/bpf"))
	for range 50 { // some of them begin on the main thread, which must not go there
		_, err := m.Mounts.MountAt("/")
		must(t, err)
	}
	if now := bpfMounts(t, "/proc/self/mountinfo"); now != own {
		t.Error("the mount is in our own namespace")
	}
	if !eventually(func() bool { return allThreadsIn(t, before) }) {
		t.Error("a thread stayed in the namespace of the first process")
	}
}

func allThreadsIn(t *testing.T, namespace string) bool {
	tasks, err := os.ReadDir("/proc/self/task")
	must(t, err)
	for _, task := range tasks {
		ns, err := os.Readlink("/proc/self/task/" + task.Name() + "/ns/mnt")
		if err == nil && ns != namespace { // one that has just ended has none
			return false
		}
	}
	return true
}

// bpfMounts counts the BPF file systems on the folder for them. A sandbox covers those of
// the machine, which stay in the table.
func bpfMounts(t *testing.T, table string) int {
	t.Helper()
	content, err := os.ReadFile(table)
	must(t, err)
	n := 0
	for line := range strings.Lines(string(content)) {
		if strings.Contains(line, " /sys/fs/bpf ") && strings.Contains(line, " - bpf ") {
			n++
		}
	}
	return n
}
