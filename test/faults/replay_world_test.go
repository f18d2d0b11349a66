package faults

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// replayed is a story on a host whose /etc and /var/lib are on one disk, which is recorded
// once and then put back into each state that a power cut may have left it in.
type replayed struct {
	failing
	options string // how the disk is mounted
	log     *replay.Log
	told    [][]string // the runs, by their arguments
	marks   []mark     // one before them, and one after each
}

// mark is a moment of the recording at which a run had ended well, or, the first one, at
// which none had begun.
type mark struct {
	entries int // of the log
	host    snapshot.Snapshot
}

// replayFolder is where the disk is mounted.
const replayFolder = ownFolder + "/disk"

// replayedFolders are those of the disk, and where a host has them.
var replayedFolders = map[string]string{"/etc": replayFolder + "/etc", "/var/lib": replayFolder + "/var-lib"}

// inReplay runs a test in a sandbox, and returns nil outside of it. The calling goroutine
// keeps its thread, whose network is the host's: a reboot makes it anew.
func inReplay(t *testing.T) *replayed {
	t.Helper()
	must(t, disk.NoteOutside())
	w := inWorld(t)
	if w == nil {
		return nil
	}
	must(t, replay.Missing())
	runtime.LockOSThread()
	w.looker.withoutMounts = true
	return &replayed{failing: failing{killing: killing{world: w}}}
}

// show has the host use a disk that is mounted.
func (r *replayed) show() {
	r.t.Helper()
	for to, from := range replayedFolders {
		must(r.t, os.MkdirAll(from, 0o755))
		must(r.t, unix.Mount(from, to, "", unix.MS_BIND, ""))
	}
}

// hide is the way back.
func (r *replayed) hide() {
	r.t.Helper()
	r.unmount()
	for to := range replayedFolders {
		must(r.t, unix.Unmount(to, 0))
	}
}

// play plays the stories on a disk that is recorded. All states are those of one boot.
func (r *replayed) play(options string, runs ...[]string) {
	r.t.Helper()
	r.options, r.told, r.marks = options, runs, nil
	recorder, err := replay.Start(ownFolder + "/recorder")
	must(r.t, err)
	d, err := disk.Over(recorder.Image(), replayFolder, options)
	must(r.t, err)
	must(r.t, d.Mount())
	r.boot()
	r.show()
	r.furnish()
	must(r.t, d.Sync())
	r.mark(recorder)
	for _, args := range runs {
		r.bootstrap(args...)
		r.mark(recorder)
	}
	must(r.t, d.Sync())
	r.hide()
	must(r.t, d.Unmount())
	r.log, err = recorder.Stop()
	must(r.t, err)
	must(r.t, os.RemoveAll(ownFolder+"/recorder"))
}

func (r *replayed) mark(recorder *replay.Recorder) {
	r.t.Helper()
	n, err := recorder.Entries()
	must(r.t, err)
	r.marks = append(r.marks, mark{n, r.look()})
}

// boot starts the host again: what is not on the disk is gone.
func (r *replayed) boot() {
	r.t.Helper()
	must(r.t, os.RemoveAll("/run/hostprofile"))
	must(r.t, unix.Unshare(unix.CLONE_NEWNET))
	r.network()
	r.looker.sums = map[string]sum{} // a file's times are the same on all disks
}

// on boots the host from a disk in a state, has it do something, and takes it off again.
func (r *replayed) on(image replay.Image, do func()) {
	r.t.Helper()
	d, err := inserted(image, replayFolder, r.options)
	must(r.t, err)
	r.boot()
	r.show()
	do()
	r.hide()
	must(r.t, errors.Join(d.Unmount(), sound(replayFolder)))
}

// when tells how many runs had ended well at the latest moment at which a cut may leave a
// disk, and whether the next one must have begun.
func (r *replayed) when(s replay.State) (runs int, begun bool) {
	for runs+1 < len(r.marks) && r.marks[runs+1].entries <= s.At {
		runs++
	}
	return runs, s.From > r.marks[runs].entries
}
