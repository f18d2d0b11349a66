package linux_test

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

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// hostWithModprobe returns a machine whose root has a program for modprobe that
// answers as told. It loads nothing.
func hostWithModprobe(t *testing.T, answers string) (m *machine.Machine, root string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for chroot")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs go, for the program that takes modprobe's place")
	}
	root = t.TempDir()
	bin := filepath.Join(root, "sbin", "modprobe")
	must(t, os.MkdirAll(filepath.Dir(bin), 0o755))
	program, err := standIn()
	must(t, err)
	must(t, os.WriteFile(bin, program, 0o755))
	must(t, os.WriteFile(filepath.Join(root, "answers"), []byte(answers), 0o600))
	m, err = linux.New(root)
	must(t, err)
	return m, root
}

// standIn builds the program that takes modprobe's place, once.
var standIn = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "modprobe")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	bin := filepath.Join(dir, "modprobe")
	build := exec.Command("go", "build", "-o", bin, "./testdata/modprobe")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return os.ReadFile(bin)
})

// absent is a module that no kernel has.
const absent = "hostprofile_none"

func TestLoadModuleTellsTheReasonsApart(t *testing.T) {
	m, _ := hostWithModprobe(t, strings.Join([]string{
		"-D to_true => install /bin/true ",
		"-D to_false => insmod /lib/modules/6/x.ko; install /bin/false ",
		"-D listed => insmod /lib/modules/6/hostprofile_none.ko.xz ",
		"-b listed => ",
		"-D built_in => builtin built_in",
		"-b built_in => ",
		"-D scripted => install /usr/local/bin/load scripted",
		"-b scripted => ",
		"-D broken => insmod /lib/modules/6/broken.ko ",
	}, "\n"))
	for name, want := range map[string]error{
		absent:     fs.ErrNotExist,
		"to_true":  machine.ErrForbidden,
		"to_false": machine.ErrForbidden,
		"listed":   machine.ErrForbidden,
		"scripted": machine.ErrForbidden,
		"built_in": nil,
	} {
		if err := m.Kernel.LoadModule(t.Context(), name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	err := m.Kernel.LoadModule(t.Context(), "broken")
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, machine.ErrForbidden) {
		t.Errorf("broken: %v", err)
	}
}

func TestAForbiddenModuleNamesItsRule(t *testing.T) {
	m, _ := hostWithModprobe(t, "-D sctp => install /bin/false ")
	err := m.Kernel.LoadModule(t.Context(), "sctp")
	if err == nil || !strings.Contains(err.Error(), "install /bin/false") {
		t.Errorf("error %v", err)
	}
}

func TestAForbiddenModuleIsNotTried(t *testing.T) {
	m, root := hostWithModprobe(t, "-D sctp => install /bin/true ")
	_ = m.Kernel.LoadModule(t.Context(), "sctp")
	calls, err := os.ReadFile(filepath.Join(root, "calls"))
	must(t, err)
	if strings.Contains(string(calls), "-b") {
		t.Errorf("calls:\n%s", calls)
	}
}

// The program is the host's own, runs in the host's root, and inherits nothing.
func TestModprobeRunsInTheHostsRoot(t *testing.T) {
	t.Setenv("MODPROBE_OPTIONS", "--verbose")
	m, root := hostWithModprobe(t, "-D built_in => builtin built_in\n-b built_in => ")
	must(t, m.Kernel.LoadModule(t.Context(), "built_in"))
	calls, err := os.ReadFile(filepath.Join(root, "calls"))
	must(t, err)
	want := "-D built_in | PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C | /\n" +
		"-b built_in | PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C | /\n"
	if string(calls) != want {
		t.Errorf("calls:\n%swant:\n%s", calls, want)
	}
}

func TestALoadThatHangsEndsWithItsContext(t *testing.T) {
	m, _ := hostWithModprobe(t, "-D slow => hang")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := m.Kernel.LoadModule(ctx, "slow"); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestAHostWithoutModprobeIsNoMissingModule(t *testing.T) {
	m, err := linux.New(t.TempDir())
	must(t, err)
	err = m.Kernel.LoadModule(t.Context(), absent)
	if !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestALoadedModuleNeedsNoProgram(t *testing.T) {
	loaded, err := filepath.Glob("/sys/module/*/parameters")
	if err != nil || len(loaded) == 0 {
		t.Skip("this kernel shows no module")
	}
	m, err := linux.New(t.TempDir())
	must(t, err)
	name := filepath.Base(filepath.Dir(loaded[0]))
	must(t, m.Kernel.LoadModule(t.Context(), name))
	must(t, m.Kernel.LoadModule(t.Context(), strings.ReplaceAll(name, "_", "-")))
}
