package linux

import (
	"errors"
	"hash/maphash"
	"runtime"
	"sync"
)

// team are threads that share the work on many keys. Each has the files of its keys open in a
// table of its own.
//
// The table of a process with threads grows by doubling, and each time the kernel waits for
// all processors, which takes milliseconds; one that a thread has for itself grows at once.
type team struct {
	seed    maphash.Seed
	workers []*worker
}

// maxWorkers bounds the threads: most of the time that a key takes is the kernel's, which
// more of them share ever less well.
const maxWorkers = 4

// newTeam returns a team that reads and writes below dir, and nil if there cannot be one.
func newTeam(dir, limit int) *team {
	if !pollerIsReady() {
		return nil
	}
	t := &team{seed: maphash.MakeSeed()}
	ready := make(chan error)
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		w := &worker{keys: keys{dir: dir, max: limit}, jobs: make(chan func(*keys))}
		t.workers = append(t.workers, w)
		go w.run(ready)
	}
	var err error
	for range t.workers {
		err = errors.Join(err, <-ready)
	}
	if err != nil {
		t.end()
		return nil
	}
	return t
}

// each calls do for each of n keys, in the thread that has the key's file.
func (t *team) each(n int, path func(i int) string, do func(k *keys, i int)) {
	var all sync.WaitGroup
	all.Add(len(t.workers))
	for at, w := range t.workers {
		w.jobs <- func(k *keys) {
			defer all.Done()
			for i := range n {
				if maphash.String(t.seed, path(i))%uint64(len(t.workers)) == uint64(at) {
					do(k, i)
				}
			}
		}
	}
	all.Wait()
}

func (t *team) end() {
	for _, w := range t.workers {
		close(w.jobs)
	}
}
