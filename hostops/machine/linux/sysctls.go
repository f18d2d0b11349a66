package linux

import (
	"fmt"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// sysctls reads and writes below /proc/sys: a few keys in the caller's thread, and many at
// once in the threads of a team.
type sysctls struct {
	mu   sync.Mutex // of few
	few  keys
	team sync.Mutex // of what follows
	many *team      // nil until there are many
	none bool       // there cannot be a team
}

// maxKept bounds the open files. A key beyond it costs an open per call.
const maxKept = 4096

// openSysctls opens /proc/sys. At most half of the files that the process may open
// are kept open.
func openSysctls() (*sysctls, error) {
	dir, err := unix.Open("/proc/sys", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open /proc/sys: %w", translate(err))
	}
	limit := unix.Rlimit{Cur: 256}
	_ = unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return &sysctls{few: keys{dir: dir, max: int(min(limit.Cur/2, maxKept))}}, nil
}

func (s *sysctls) read(path string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.few.read(path)
}

func (s *sysctls) write(path, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.few.write(path, value)
}

func (s *sysctls) readAll(paths []string) []machine.SysctlText {
	out := make([]machine.SysctlText, len(paths))
	s.each(len(paths), func(i int) string { return paths[i] }, func(k *keys, i int) {
		text, err := k.read(paths[i])
		out[i] = machine.SysctlText{Text: text, Err: failed("read sysctl", paths[i], err)}
	})
	return out
}

func (s *sysctls) writeAll(writes []machine.SysctlWrite) []error {
	out := make([]error, len(writes))
	s.each(len(writes), func(i int) string { return writes[i].Path }, func(k *keys, i int) {
		out[i] = failed("write sysctl", writes[i].Path, k.write(writes[i].Path, writes[i].Text))
	})
	return out
}

// openAll opens many keys. A few are opened as fast when they are needed.
func (s *sysctls) openAll(paths []string) {
	if t := s.teamFor(len(paths)); t != nil {
		defer t.busy.Done()
		t.each(len(paths), func(i int) string { return paths[i] }, func(k *keys, i int) { k.ahead(paths[i]) })
	}
}

// each calls do for each of n keys.
func (s *sysctls) each(n int, path func(i int) string, do func(k *keys, i int)) {
	if t := s.teamFor(n); t != nil {
		defer t.busy.Done()
		t.each(n, path, do)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range n {
		do(&s.few, i)
	}
}

// few is up to how many keys are few: their files have room in the table that every process
// begins with.
const few = 48

// teamFor returns the team, busy until its caller is done, if n keys are many. It returns nil
// if they are not, or if there is no team.
func (s *sysctls) teamFor(n int) *team {
	if n <= few {
		return nil
	}
	s.team.Lock()
	defer s.team.Unlock()
	s.gather(n)
	if s.many != nil {
		s.many.busy.Add(1)
	}
	return s.many
}

// gather makes the team for about n keys, if there is none and there can be one.
func (s *sysctls) gather(n int) {
	if s.many == nil && !s.none {
		s.many = newTeam(s.few.dir, s.few.max, n)
		s.none = s.many == nil
	}
}

// prepare begins to make the team: whoever needs it waits until it is made.
func (s *sysctls) prepare() {
	s.team.Lock()
	go func() {
		defer s.team.Unlock()
		s.gather(soon)
	}()
}

// soon is for how many keys a team is made before they are known.
const soon = 512

// dismiss ends the team, and with it closes its files, as soon as nobody uses it.
func (s *sysctls) dismiss() {
	s.team.Lock()
	defer s.team.Unlock()
	if s.many != nil {
		go s.many.end()
		s.many = nil
	}
}

func (s *sysctls) close() {
	s.dismiss()
	s.few.dropAll()
	shut(s.few.dir)
}
