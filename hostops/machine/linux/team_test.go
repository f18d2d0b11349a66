package linux_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// readMany reads more sysctls than are read one by one.
func readMany(t *testing.T, m *machine.Machine) {
	t.Helper()
	m.Proc.ReadSysctls(manySysctls(t, m))
}

// manySysctls are more than are read one by one. Some are folders, and some cannot be read.
func manySysctls(t *testing.T, m *machine.Machine) []string {
	t.Helper()
	const dir = "net/ipv4"
	names, err := m.Proc.ListSysctl(dir)
	must(t, err)
	paths := make([]string, 0, len(names))
	for _, name := range names {
		paths = append(paths, dir+"/"+name)
	}
	if len(paths) < 100 {
		t.Fatalf("only %d sysctls", len(paths))
	}
	return paths
}

// tablesOfThreads returns, of each thread of this process that has a table of open files of
// its own, what is open in it. Such a thread has sysctls open that the process has not.
func tablesOfThreads(t *testing.T) map[string][]string {
	t.Helper()
	return threadsWith(t, func(open []string) bool {
		return slices.ContainsFunc(open, func(target string) bool { return strings.HasPrefix(target, "/proc/sys/net/") })
	})
}

// threadsWith returns what is open in the threads of this process of whose files something
// holds.
func threadsWith(t *testing.T, holds func(open []string) bool) map[string][]string {
	t.Helper()
	threads, err := filepath.Glob("/proc/self/task/*")
	must(t, err)
	tables := map[string][]string{}
	for _, thread := range threads {
		if open := filesOf(thread); holds(open) {
			tables[filepath.Base(thread)] = open
		}
	}
	return tables
}

func filesOf(process string) []string {
	entries, _ := os.ReadDir(process + "/fd") // it may have ended
	var open []string
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(process, "fd", e.Name())); err == nil {
			open = append(open, target)
		}
	}
	return open
}

func TestAThreadForSysctlsHoldsNothingElseOpen(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	locked, err := linux.New(freshRoot(t))
	must(t, err)
	release, err := locked.Locks.TryLock("/run/lock", "x")
	must(t, err)
	readMany(t, m)
	tables := tablesOfThreads(t)
	if len(tables) == 0 {
		t.Fatal("no thread has sysctls open")
	}
	allowed := []string{"/proc/sys", "anon_inode:[eventpoll]", "anon_inode:[eventfd]"}
	for _, standard := range []string{"0", "1", "2"} {
		target, err := os.Readlink("/proc/self/fd/" + standard)
		must(t, err)
		allowed = append(allowed, target)
	}
	for thread, open := range tables {
		for _, target := range open {
			if !slices.Contains(allowed, target) && !strings.HasPrefix(target, "/proc/sys/") {
				t.Errorf("thread %s holds %s", thread, target)
			}
		}
	}
	must(t, release())
}

// The reader of a pipe waits until its last writing end is closed: that of a program that
// was started, for instance.
func TestAPipeEndsThoughManySysctlsAreRead(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	r, w, err := os.Pipe()
	must(t, err)
	m, err := linux.New("/")
	must(t, err)
	readMany(t, m)
	must(t, w.Close())
	_, err = io.ReadAll(r)
	must(t, err)
}

// What is below /proc/self is the first thread's, so that this one must never have a table
// of its own.
func TestTheFirstThreadSharesItsFilesWithTheOthers(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	machines := make([]*machine.Machine, 30)
	for i := range machines {
		var err error
		machines[i], err = linux.New("/")
		must(t, err)
		readMany(t, machines[i])
		f, err := os.CreateTemp(t.TempDir(), "")
		must(t, err)
		if open := strings.Join(filesOf("/proc/self"), "\n"); !strings.Contains(open, f.Name()) {
			t.Fatalf("after %d teams /proc/self/fd lacks what was opened since:\n%s", i+1, open)
		}
		must(t, f.Close())
	}
	for _, m := range machines {
		readMany(t, m)
	}
}

func TestThreadsForSysctlsEndWithTheirMachine(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	for range 20 {
		m, err := linux.New("/")
		must(t, err)
		readMany(t, m)
	}
	if !eventually(func() bool { return len(tablesOfThreads(t)) == 0 }) {
		t.Errorf("still there: %v", tablesOfThreads(t))
	}
}

func TestThreadsForManySysctlsAreMadeBeforeAnyIsKnown(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	f, err := os.CreateTemp(t.TempDir(), "")
	must(t, err)
	apart := func() int {
		return len(threadsWith(t, func(open []string) bool { return len(open) > 0 && !slices.Contains(open, f.Name()) }))
	}
	if apart() > 0 {
		t.Fatal("a thread has files of its own already")
	}
	m, err := linux.New("/", linux.ManySysctls())
	must(t, err)
	if !eventually(func() bool { return apart() > 0 }) {
		t.Error("no thread has files of its own")
	}
	made := apart()
	readMany(t, m)
	if now := len(tablesOfThreads(t)); now != made {
		t.Errorf("%d threads have sysctls open, %d were made", now, made)
	}
	m.Proc.CloseSysctls()
	if !eventually(func() bool { return apart() == 0 }) {
		t.Errorf("%d threads are left", apart())
	}
	must(t, f.Close())
}

func TestSysctlsThatAreOpenedAheadAreOpenUntilTheyAreClosed(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	open := func() (n int) {
		for _, files := range tablesOfThreads(t) {
			for _, target := range files {
				if strings.HasPrefix(target, "/proc/sys/net/ipv4/tcp_") {
					n++
				}
			}
		}
		return n
	}
	m.Proc.OpenSysctls(manySysctls(t, m))
	ahead := open()
	if ahead < 30 {
		t.Errorf("only %d are open", ahead)
	}
	readMany(t, m)
	if now := open(); now != ahead {
		t.Errorf("%d are open after they were read, %d before", now, ahead)
	}
	m.Proc.CloseSysctls()
	if !eventually(func() bool { return open() == 0 }) {
		t.Errorf("%d are still open", open())
	}
}

func TestClosingSysctlsDisturbsNobodyWhoReadsOrOpens(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	m, err := linux.New("/")
	must(t, err)
	paths := manySysctls(t, m)
	forward := slices.Index(paths, "net/ipv4/ip_forward")
	var others sync.WaitGroup
	others.Go(func() {
		for range 50 {
			m.Proc.OpenSysctls(paths)
		}
	})
	for range 50 {
		m.Proc.CloseSysctls()
		if got := m.Proc.ReadSysctls(paths)[forward]; got.Err != nil || got.Text == "" {
			t.Errorf("reads as %+v", got)
		}
	}
	others.Wait()
}
