package linux_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// holder is the variable that makes the test binary take a lock below this root and
// wait to be killed.
const holder = "HOSTPROFILE_TEST_HOLD"

func TestMain(tests *testing.M) {
	if root := os.Getenv(holder); root != "" {
		hold(root)
	}
	m := collecting{tests}
	goleak.VerifyTestMain(m) // no test leaves a goroutine behind
}

// collecting are tests whose machines are collected after them: the threads of a machine end
// with it.
type collecting struct{ *testing.M }

func (c collecting) Run() int {
	code := c.M.Run()
	runtime.GC()
	return code
}

func hold(root string) {
	m, err := linux.New(root)
	if err == nil {
		_, err = m.Locks.TryLock("/run/l", "the process that dies")
	}
	fmt.Println(err)
	select {}
}

func TestALockEndsWithItsProcess(t *testing.T) {
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, "run"), 0o755))
	m, err := linux.New(root)
	must(t, err)

	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), holder+"="+root)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	if strings.TrimSpace(line) != "<nil>" {
		t.Fatal(line)
	}

	var busy *machine.BusyError
	if _, err := m.Locks.TryLock("/run/l", "ours"); !errors.As(err, &busy) || busy.Holder != "the process that dies" {
		t.Errorf("while it lives: %v", err)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	release, err := m.Locks.TryLock("/run/l", "ours")
	must(t, err)
	must(t, release())
}

func TestALockIsNotInherited(t *testing.T) {
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, "run"), 0o755))
	m, err := linux.New(root)
	must(t, err)
	release, err := m.Locks.TryLock("/run/l", "ours")
	must(t, err)
	child := exec.CommandContext(t.Context(), "sleep", "60")
	must(t, child.Start())
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	must(t, release())
	release, err = m.Locks.TryLock("/run/l", "ours again")
	must(t, err)
	must(t, release())
}

func TestAHolderWithoutANoteIsAnotherProcess(t *testing.T) {
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, "run"), 0o755))
	m, err := linux.New(root)
	must(t, err)
	release, err := m.Locks.TryLock("/run/l", "")
	must(t, err)
	var busy *machine.BusyError
	if _, err := m.Locks.TryLock("/run/l", "ours"); !errors.As(err, &busy) || busy.Holder != "another process" {
		t.Errorf("error %v", err)
	}
	must(t, release())
}
