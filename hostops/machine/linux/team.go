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
	busy    sync.WaitGroup // calls that use it
}

// maxWorkers bounds the threads: most of the time that a key takes is the kernel's, which
// more of them share ever less well.
const maxWorkers = 4

// newTeam returns a team for about n keys below dir, and nil if there cannot be one. limit is
// how many files each of its threads may keep open.
func newTeam(dir, limit, n int) *team {
	if !pollerIsReady() {
		return nil
	}
	t := &team{seed: maphash.MakeSeed(), workers: make([]*worker, min(runtime.GOMAXPROCS(0), maxWorkers))}
	ready := make(chan error)
	for i := range t.workers {
		own := keys{dir: dir, max: limit, kept: make(map[string]kept, n/len(t.workers)), near: folders{}}
		t.workers[i] = &worker{keys: own, jobs: make(chan func(*keys), 1)}
		go t.workers[i].run(ready)
	}
	var err error
	for range t.workers {
		err = errors.Join(err, <-ready)
	}
	if err != nil {
		t.dismiss()
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
				if t.of(path(i)) == at {
					do(k, i)
				}
			}
		}
	}
	all.Wait()
}

// of returns which thread a key has.
func (t *team) of(path string) int {
	return int(maphash.String(t.seed, path) % uint64(len(t.workers)))
}

// end closes the files, and ends the threads, once nobody uses them any more: one thread after
// the other, which leaves the other processors to what goes on beside.
func (t *team) end() {
	t.busy.Wait()
	for _, w := range t.workers {
		closed := make(chan struct{})
		w.jobs <- func(k *keys) {
			k.dropAll()
			close(closed)
		}
		<-closed
	}
	t.dismiss()
}

// dismiss ends the threads that there are.
func (t *team) dismiss() {
	for _, w := range t.workers {
		close(w.jobs)
	}
}
