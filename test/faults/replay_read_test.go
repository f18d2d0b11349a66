package faults

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/replay"
)

// finding is what is on disks in several states.
type finding struct {
	states int // different ones
	hosts  map[host]replay.State
}

// readers is how many disks are read at once: mounting one is mostly waiting.
const readers = 8

// read mounts a disk in each of the states, and finds what is on it.
func (r *replayed) read(states iter.Seq[replay.State]) finding {
	r.t.Helper()
	f := finding{hosts: map[host]replay.State{}}
	queue := make(chan replay.State)
	var group sync.WaitGroup
	var mutex sync.Mutex
	var failed error
	for n := range readers {
		dir := fmt.Sprintf("%s/reader%d", ownFolder, n)
		group.Go(func() {
			for s := range queue {
				tree, err := treeOf(s.Image, dir, r.options)
				mutex.Lock()
				if err != nil {
					failed = errors.Join(failed, fmt.Errorf("%s: %w", s.Name, err))
				}
				h := host{r.runs(s.At), tree}
				if _, known := f.hosts[h]; !known {
					f.hosts[h] = s
				}
				mutex.Unlock()
			}
		})
	}
	seen := map[string]bool{}
	for s := range states {
		sum := fmt.Sprint(r.runs(s.At), s.Image.Sum())
		if !seen[sum] {
			seen[sum] = true
			queue <- s
		}
	}
	close(queue)
	group.Wait()
	must(r.t, failed)
	f.states = len(seen)
	return f
}

// runs returns how many runs had ended well at an entry of the log.
func (r *replayed) runs(at int) int {
	n := 0
	for n+1 < len(r.marks) && r.marks[n+1].entries <= at {
		n++
	}
	return n
}

// treeOf mounts a disk at dir and tells what is on it: all names, with type, mode, owner and
// content.
func treeOf(image replay.Image, dir, options string) (string, error) {
	d, err := inserted(image, dir, options)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var s unix.Stat_t
		if err := unix.Lstat(path, &s); err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%q %o %d:%d %d\n", strings.TrimPrefix(path, dir), s.Mode, s.Uid, s.Gid, s.Nlink)
		if s.Mode&unix.S_IFMT != unix.S_IFREG || err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		_, _ = sum.Write(content)
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil)), errors.Join(err, d.Unmount())
}
