package faults

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// disksAtOnce is how many disks are mounted at once: mounting is mostly waiting.
const disksAtOnce = 4

// reading is what was found on a disk, or why it cannot be mounted or read.
type reading struct {
	state replay.State
	on    snapshot.Snapshot
	err   error
}

// visit mounts a disk in each of the states, some at once, and hands on what is on it.
func visit(states iter.Seq[replay.State], options string, look func(reading)) {
	queue, readings := make(chan replay.State), make(chan reading)
	var group sync.WaitGroup
	for n := range disksAtOnce {
		dir := fmt.Sprintf("%s/reader%d", ownFolder, n)
		group.Go(func() {
			for s := range queue {
				on, err := readDisk(s.Image, dir, options)
				readings <- reading{s, on, err}
			}
		})
	}
	go func() {
		for s := range states {
			queue <- s
		}
		close(queue)
		group.Wait()
		close(readings)
	}()
	for r := range readings {
		look(r)
	}
}

// readDisk mounts a disk at dir and reads it.
func readDisk(image replay.Image, dir, options string) (snapshot.Snapshot, error) {
	d, err := inserted(image, dir, options)
	if err != nil {
		return nil, err
	}
	on, err := tree(dir)
	return on, errors.Join(err, d.Unmount())
}

// sound looks whether ext4 has kept its own promises on a disk that was mounted at dir: it
// does on each that a power cut may leave.
func sound(dir string) error {
	out, err := exec.Command("e2fsck", "-fn", imageOf(dir)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("e2fsck: %w: %s", err, out)
	}
	return nil
}

// inserted is a disk in a state, mounted: the kernel replays its journal.
func inserted(image replay.Image, dir, options string) (*disk.Disk, error) {
	if err := image.WriteFile(imageOf(dir)); err != nil {
		return nil, err
	}
	d, err := disk.Over(imageOf(dir), dir, options)
	if err != nil {
		return nil, err
	}
	return d, d.Mount()
}

// imageOf is the image of the disk that is mounted at dir.
func imageOf(dir string) string { return dir + ".ext4" }

// tree is all that is below a folder: type, mode, owner and content, by name.
func tree(dir string) (snapshot.Snapshot, error) {
	on := snapshot.Snapshot{}
	return on, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var s unix.Stat_t
		if err := unix.Lstat(path, &s); err != nil {
			return err
		}
		var content []byte
		if s.Mode&unix.S_IFMT == unix.S_IFREG {
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		on[strings.TrimPrefix(path, dir)] = fmt.Sprintf("%o %d:%d %d %x", s.Mode, s.Uid, s.Gid, s.Nlink, sha256.Sum256(content))
		return nil
	})
}
