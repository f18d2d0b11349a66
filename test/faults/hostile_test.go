package faults

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// TestTwoRunsAtOnceAreOneAfterTheOther: eight runs want different things at once. Each
// ends well, and the host is exactly as one of them wanted it.
func TestTwoRunsAtOnceAreOneAfterTheOther(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	w.bootstrap(applyA...)
	w.bootstrap(applyB...)
	b := w.look()
	w.bootstrap(applyA...)
	a := w.look()
	const rounds, width = 5, 8
	for range rounds {
		var all sync.WaitGroup
		for i := range width {
			args := [][]string{applyA, applyB}[i%2]
			all.Go(func() {
				out, err := exec.Command(w.program, append([]string{"--lock-timeout", "5m"}, args...)...).CombinedOutput()
				if err != nil {
					t.Errorf("%v: %v: %s", args, err, out)
				}
			})
		}
		all.Wait()
		now := w.look()
		if da, db := snapshot.Diff(a, now), snapshot.Diff(b, now); len(da) > 0 && len(db) > 0 {
			t.Fatalf("the host is neither as A nor as B wants it:\n%q\n%q", da, db)
		}
	}
	w.clear()
	tell(t, "runs at once: %d times %d, each whole", rounds, width)
}

// TestALedgerThatWasCutOffRefusesEveryRun: a part of a record is no record.
func TestALedgerThatWasCutOffRefusesEveryRun(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	w.bootstrap(applyA...)
	whole, err := os.ReadFile(paths.Ledger)
	must(t, err)
	step, refused := 41, 0
	if long {
		step = 1
	}
	end := len(strings.TrimRight(string(whole), "\n"))
	for n := 0; n < end; n += step {
		must(t, os.WriteFile(paths.Ledger, whole[:n], 0o600))
		refused += w.refusesAll(fmt.Sprintf("with %d of %d bytes", n, len(whole)))
	}
	newer := strings.Replace(string(whole), `"major":1`, `"major":2`, 1)
	must(t, os.WriteFile(paths.Ledger, []byte(newer), 0o600))
	refused += w.refusesAll("of a newer version")
	must(t, os.WriteFile(paths.Ledger, whole, 0o600))
	w.clear()
	tell(t, "damaged and newer records: %d runs, all refused, the host untouched", refused)
}

// refusesAll wants up and down to be refused and to change nothing.
func (w *world) refusesAll(when string) (runs int) {
	w.t.Helper()
	before := w.look()
	for _, args := range [][]string{applyB, give} {
		if code, out := w.run(args...); code != 3 || !strings.Contains(out, paths.Ledger) {
			w.t.Errorf("a record %s: %v ended with %d: %s", when, args, code, out)
		}
		runs++
	}
	w.mustBe(before, "with a record "+when)
	return runs
}

// TestAFileMountedOverASysctlIsRefused: what is not the kernel's is not written.
func TestAFileMountedOverASysctlIsRefused(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	const key, stand = "/proc/sys/net/ipv4/tcp_rmem", elsewhere + "/value"
	w.write(stand, "1 2 3\n")
	must(t, unix.Mount(stand, key, "", unix.MS_BIND, ""))
	code, out := w.run(applyA...)
	if said := strings.Join(strings.Fields(out), " "); code != 1 || !strings.Contains(said, "net.ipv4.tcp_rmem") || !strings.Contains(said, "UnexpectedFilesystem") || !strings.Contains(said, "umount "+key) {
		t.Errorf("ended with %d: %s", code, out)
	}
	if content, err := os.ReadFile(stand); err != nil || string(content) != "1 2 3\n" {
		t.Errorf("the file is %q, %v", content, err)
	}
	must(t, unix.Unmount(key, 0))
	w.bootstrap(applyA...)
	if got := w.sh("cat " + key); strings.Join(strings.Fields(got), " ") != "4096 131072 16777216" {
		t.Errorf("then it is %q", got)
	}
	w.clear()
}

// TestTimesOfFilesMeanNothing: after a jump of the clock by ten years files are from the
// past or from the future, and nothing is to be done.
func TestTimesOfFilesMeanNothing(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	w.bootstrap(applyA...)
	for _, jump := range []time.Duration{-10 * 365 * 24 * time.Hour, 10 * 365 * 24 * time.Hour} {
		then := time.Now().Add(jump)
		for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad, paths.KubeletDropIn, paths.Ledger, paths.Input, paths.NodeIP, paths.RunLedger, paths.RunLock} {
			must(t, os.Chtimes(path, then, then))
		}
		w.changesNothing(fmt.Sprintf("with files of %d", then.Year()), applyA...)
	}
	w.clear()
}

// TestAReadOnlyFileSystemOfOursRefusesTheRun: where nothing can be recorded, or no lock be
// taken, the host is not touched. A read-only /etc is another story: see test/host.
func TestAReadOnlyFileSystemOfOursRefusesTheRun(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	for _, applied := range []bool{false, true} {
		if applied {
			w.bootstrap(applyA...)
		}
		for _, folder := range []string{"/var/lib", "/run"} {
			before := w.look()
			must(t, unix.Mount(folder, folder, "", unix.MS_BIND|unix.MS_REC, ""))
			must(t, unix.Mount("", folder, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
			for _, args := range [][]string{applyB, give} {
				code, out := w.run(args...)
				told := strings.Contains(out, folder+"/hostprofile") && strings.Contains(out, "read-only file system")
				if nothing := code == 0 && !applied && strings.Contains(out, "Nothing to do"); !nothing && (code == 0 || !told) {
					t.Errorf("%v with a read-only %s ended with %d: %s", args, folder, code, out)
				}
			}
			must(t, unix.Unmount(folder, unix.MNT_DETACH))
			changes := slices.DeleteFunc(snapshot.Diff(before, w.look()), func(line string) bool {
				return strings.Contains(line, paths.RunLock) || strings.HasPrefix(line, "+ file "+paths.RunDir+":")
			})
			if len(changes) > 0 { // but for the lock and its folder
				t.Errorf("with a read-only %s the host is changed: %q", folder, changes)
			}
		}
	}
	w.clear()
}
