package replay_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// victimVariable makes a test the one that is killed, and is the folder of its recorder.
const victimVariable = "HOSTPROFILE_REPLAY_VICTIM"

// TestAKilledTestLeavesNoDisk: whoever of those who have to do with a disk is killed,
// neither a process nor a loop device stays, though something is always being written.
func TestAKilledTestLeavesNoDisk(t *testing.T) {
	must(t, disk.NoteOutside())
	if folder := os.Getenv(victimVariable); folder != "" {
		victim(t, folder)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	for _, who := range []struct {
		name string
		pid  func(outside *os.Process, recorder string) int
	}{
		{"the test", func(outside *os.Process, _ string) int { return outside.Pid }},
		{"the test in its sandbox", func(_ *os.Process, recorder string) int { return parent(recorder) }},
		{"the recorder", func(_ *os.Process, recorder string) int { return number(recorder) }},
	} {
		t.Run(who.name, func(t *testing.T) {
			folder := fmt.Sprintf("/run/victim-%d", os.Getpid())
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAKilledTestLeavesNoDisk$")
			cmd.Env = append(os.Environ(), victimVariable+"="+folder)
			must(t, cmd.Start())
			var recorder, loop string
			eventually(t, "the victim's disk is mounted", func() bool {
				recorder, loop = mounted(folder)
				return served(loop)
			})
			must(t, syscall.Kill(who.pid(cmd.Process, recorder), syscall.SIGKILL))
			if err := cmd.Wait(); err == nil {
				t.Error("the victim ended well")
			}
			eventually(t, "no process is left", func() bool { return len(processes(folder)) == 0 })
			eventually(t, "no loop device is left", func() bool { return !served(loop) })
		})
	}
}

// victim writes for ever.
func victim(t *testing.T, folder string) {
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return
	}
	must(t, replay.Missing())
	r, err := replay.Start(folder)
	must(t, err)
	d, err := disk.Over(r.Image(), folder+"/disk", "")
	must(t, err)
	must(t, d.Mount())
	for {
		f, err := os.Create(folder + "/disk/f")
		must(t, err)
		must(t, errors.Join(f.Sync(), f.Close()))
	}
}

// processes are those whose command line names a folder.
func processes(folder string) (pids []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line, _ := os.ReadFile(f); strings.Contains(string(line), folder) {
			pids = append(pids, filepath.Base(filepath.Dir(f)))
		}
	}
	return pids
}

// mounted finds the recorder of a victim and the loop device that is mounted where the
// victim is; they are empty while there is none.
func mounted(folder string) (recorder, loop string) {
	for _, pid := range processes(folder) {
		table, _ := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", parent(pid)))
		for line := range strings.Lines(string(table)) {
			if f := strings.Fields(line); len(f) > 8 && f[4] == folder+"/disk" {
				return pid, filepath.Base(f[len(f)-2])
			}
		}
	}
	return "", ""
}

// parent is the process that started another one.
func parent(pid string) int {
	text, _ := os.ReadFile("/proc/" + pid + "/status")
	for line := range strings.Lines(string(text)) {
		if p, ok := strings.CutPrefix(line, "PPid:"); ok {
			return number(strings.TrimSpace(p))
		}
	}
	return number("")
}

// number is a process; none is one that cannot be killed.
func number(pid string) int {
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 1 {
		return math.MaxInt32
	}
	return n
}

// served reports whether a recorder's file is behind a loop device, also if it is mounted
// nowhere any more.
func served(loop string) bool {
	image, err := os.ReadFile("/sys/block/" + loop + "/loop/backing_file")
	return err == nil && filepath.Base(strings.TrimSpace(string(image))) == "disk"
}

// eventually fails the test if a condition does not come about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("not so after a minute: %s", what)
		}
	}
}
