package replay_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// victimVariable makes a test the one that is killed, and is the folder of its recorder.
const victimVariable = "HOSTPROFILE_REPLAY_VICTIM"

// TestAKilledTestLeavesNoDisk: neither a process nor a loop device stays, though something
// is always being written to the disk.
func TestAKilledTestLeavesNoDisk(t *testing.T) {
	must(t, disk.NoteOutside())
	if folder := os.Getenv(victimVariable); folder != "" {
		victim(t, folder)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	folder := fmt.Sprintf("/run/victim-%d", os.Getpid())
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), victimVariable+"="+folder)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	must(t, cmd.Start())
	var loop, image string
	eventually(t, "the victim's disk is mounted", func() bool {
		loop = loopOf(folder)
		image = backing(loop)
		return image != ""
	})
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	eventually(t, "no process is left", func() bool { return len(processes(folder)) == 0 })
	eventually(t, "no loop device is left", func() bool { return backing(loop) != image })
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

// loopOf is the name of the loop device that a victim has mounted, empty if it has none yet.
func loopOf(folder string) string {
	for _, pid := range processes(folder) {
		table, _ := os.ReadFile("/proc/" + pid + "/mountinfo")
		for line := range strings.Lines(string(table)) {
			if f := strings.Fields(line); len(f) > 8 && f[4] == folder+"/disk" {
				return filepath.Base(f[len(f)-2])
			}
		}
	}
	return ""
}

// backing is what is behind a loop device, empty if nothing is.
func backing(loop string) string {
	text, _ := os.ReadFile("/sys/block/" + loop + "/loop/backing_file")
	return string(text)
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
