package atomicfile_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

var (
	crashStates = flag.Int("crash.states", 30_000, "how many states that a crash may leave are looked at")
	crashSeed   = flag.Uint64("crash.seed", 1, "which histories of writes are played")
)

// Histories of writes to two files, some of which fail or are killed at a random call: in
// every state that a power cut may leave, at any call, each file is whole and is one that
// was written; and one that a write said to be durable is there, or what was written since,
// and so is one that has no mark, however its write ended.
func TestEveryStateThatACrashMayLeaveIsWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(*crashSeed, 2))
	states, histories := 0, 0
	for states < *crashStates && !t.Failed() {
		h := &history{place: newPlace(t), r: r, allowed: map[string][]string{"a": {"-"}, "b": {"-"}}}
		h.play(5)
		histories++
		record.CrashesAt(record.Disk{}, h.log.Calls, func(made int, d record.Disk) {
			states++
			h.judge(made, d)
		})
	}
	t.Logf("==> states after a crash: %d of %d histories, none torn or lost", states, histories)
}

// history is a place and what may be in its files after a crash.
type history struct {
	*place
	r       *rand.Rand
	allowed map[string][]string // contents by name; "-" is no file
	steps   []step
	what    []string
}

// step is what holds from a number of calls on.
type step struct {
	calls   int
	allowed map[string][]string
}

func (h *history) play(writes int) {
	h.note()
	for range writes {
		name := []string{"a", "b"}[h.r.IntN(2)]
		content := []string{"one", "two", "a longer third"}[h.r.IntN(3)]
		before := len(h.allowed[name])
		if !slices.Contains(h.allowed[name], content) {
			h.allowed[name] = append(slices.Clone(h.allowed[name]), content)
		}
		h.note() // from its first call on, either may be there
		err := h.write(name, content)
		h.what = append(h.what, fmt.Sprintf("%s = %q: %v", name, content, err))
		if err == nil {
			h.allowed[name] = []string{content}
		} else if found := h.unmarked(name); found != "" {
			h.allowed[name] = []string{found}
		} else if before == 0 {
			h.t.Fatal("nothing is allowed")
		}
		h.note()
	}
}

// unmarked returns the content of a file that does not say that it may not be durable;
// nothing if there is none.
func (h *history) unmarked(name string) string {
	info, err := os.Stat(h.at(name))
	if err != nil || info.ModTime().Equal(time.Unix(1, 0)) {
		return ""
	}
	content, err := os.ReadFile(h.at(name))
	must(h.t, err)
	return string(content)
}

func (h *history) note() {
	h.steps = append(h.steps, step{len(h.log.Calls), maps.Clone(h.allowed)})
}

var errKilled = errors.New("killed")

// write writes a file. One time in three a call fails, one time in three the process dies
// at one, and the next write is that of another process.
func (h *history) write(name, content string) error {
	at := len(h.log.Calls) + h.r.IntN(25)
	result := errKilled
	attempt := func(d atomicfile.Dir) error {
		result = atomicfile.Write(d, name, []byte(content), fs.FileMode(0o600))
		return result
	}
	switch h.r.IntN(3) {
	case 0:
		errno := errnos[h.r.IntN(len(errnos))]
		h.log.Fail = func(n int, _ record.Call) error {
			if n == at {
				return errno
			}
			return nil
		}
		_ = attempt(h.dir)
		h.log.Fail = nil
	case 1:
		kill(h.place, attempt, func(n int, _ record.Call) bool { return n == at })
		_, err := atomicfile.Sweep(h.dir, name)
		must(h.t, err)
	default:
		must(h.t, attempt(h.dir))
	}
	return result
}

// judge looks at a state after a number of calls. Between two writes it is what the first
// of them said that counts: the other has made no call yet.
func (h *history) judge(made int, d record.Disk) {
	var now map[string][]string
	for _, s := range h.steps {
		if s.calls > made {
			break
		}
		if now = s.allowed; s.calls == made && made > 0 {
			break
		}
	}
	for name, allowed := range now {
		got, there := d[name]
		if !there {
			got = "-"
		}
		if !slices.Contains(allowed, got) {
			h.t.Errorf("after %d calls %s holds %q, allowed is %q\n%q", made, name, got, allowed, h.what)
		}
	}
}
