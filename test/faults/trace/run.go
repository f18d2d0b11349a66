package trace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Verdict says what becomes of a call. The zero Verdict lets it be made.
type Verdict struct {
	Kill  bool          // the program is killed before the call
	Errno syscall.Errno // the call is not made and returns this
}

// Run is a run of a program that is over.
type Run struct {
	// ExitCode is that of the program, or 128 plus the signal that ended it.
	ExitCode int
	// Output is what it wrote to its standard output and error, in order.
	Output string
	// Calls are the calls that changed the host, in order. The last one of a program
	// that was killed was not made.
	Calls []Call
	// Open are the files and folders that the program still had open at its end.
	Open []string
}

// Killed reports whether the program was killed at its last call.
func (r *Run) Killed() bool { return r.ExitCode == 128+int(unix.SIGKILL) }

// Changes are the names of the calls that changed something, without what is about one of
// the given paths.
func (r *Run) Changes(except ...string) []string {
	var names []string
	for _, c := range r.Calls {
		if !c.Sent && c.Errno == 0 && !slices.ContainsFunc(except, c.Of) {
			names = append(names, c.String())
		}
	}
	return names
}

// Program runs argv in the caller's namespaces. decide is asked before each call that
// changes the host; nil lets all be made. The error says why the program could not be
// run or watched to its end.
func Program(decide func(n int, c Call) Verdict, argv ...string) (*Run, error) {
	file, err := exec.LookPath(argv[0])
	if err != nil {
		return nil, err
	}
	output, err := memory()
	if err != nil {
		return nil, err
	}
	defer func() { _ = output.Close() }()
	cmd := exec.Command("/proc/self/exe", append([]string{becomeArgument, file}, argv[1:]...)...)
	cmd.Stdout, cmd.Stderr = output, output
	// In a group of its own, so that only its threads and children are waited for.
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true, Pdeathsig: unix.SIGKILL}
	runtime.LockOSThread() // all of ptrace belongs to one thread
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &watch{pid: cmd.Process.Pid, decide: decide, threads: map[int]*thread{}}
	if err := w.follow(); err != nil {
		_ = unix.Kill(w.pid, unix.SIGKILL)
		w.reap()
		return nil, fmt.Errorf("watch %s: %w", argv[0], err)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/fd/%d", output.Fd()))
	w.run.Output = string(text)
	return &w.run, err
}

// memory is a file without a name.
func memory() (*os.File, error) {
	fd, err := unix.MemfdCreate("output", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "output")
	// Both streams append: a program may open them anew.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}

// watch follows one program, with all its threads and children.
type watch struct {
	pid     int
	decide  func(int, Call) Verdict
	threads map[int]*thread
	run     Run
}

// thread is one that runs. It is inside the call of this number, counted from 1, or in
// none of those that are counted.
type thread struct {
	inside int
	// again is the number of a call that the kernel begins anew by itself, as a write of
	// a sysctl that did not get the network's lock: it is counted once.
	again int
}

// The kernel's own answers that make it begin a call anew: ERESTARTSYS and its kind.
const firstRestart, lastRestart = syscall.Errno(512), syscall.Errno(516)

const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC

// follow runs the program to its end.
func (w *watch) follow() error {
	var status unix.WaitStatus
	if _, err := unix.Wait4(w.pid, &status, unix.WALL, nil); err != nil {
		return err
	}
	if err := unix.PtraceSetOptions(w.pid, options); err != nil {
		return err
	}
	w.threads[w.pid] = &thread{}
	if err := resume(w.pid, 0); err != nil {
		return err
	}
	for {
		tid, err := unix.Wait4(-w.pid, &status, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case status.Exited(), status.Signaled():
			delete(w.threads, tid)
			if tid == w.pid {
				w.ended(status)
				w.reap()
				return nil
			}
		default:
			if err := w.stopped(tid, status); err != nil {
				return err
			}
		}
	}
}

func (w *watch) ended(status unix.WaitStatus) {
	w.run.ExitCode = status.ExitStatus()
	if status.Signaled() {
		w.run.ExitCode = 128 + int(status.Signal())
	}
}

// reap ends what is left of the program: children that outlive it.
func (w *watch) reap() {
	for tid := range w.threads {
		_ = unix.Kill(tid, unix.SIGKILL)
	}
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(-w.pid, &status, unix.WALL, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// stopped handles a thread that stands still, and lets it go on.
func (w *watch) stopped(tid int, status unix.WaitStatus) error {
	t := w.threads[tid]
	if t == nil {
		w.threads[tid] = &thread{}
		return resume(tid, 0) // a new one begins with a SIGSTOP
	}
	signal := status.StopSignal()
	switch {
	case signal == unix.SIGTRAP && status.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
		return gone(w.atCall(tid, t))
	case signal == unix.SIGTRAP|0x80:
		return gone(w.afterCall(tid, t))
	case signal == unix.SIGTRAP && status.TrapCause() > 0:
		return resume(tid, 0)
	default:
		return resume(tid, signal)
	}
}

// atCall handles a thread that is about to make a system call.
func (w *watch) atCall(tid int, t *thread) error {
	s, err := stopped(tid)
	if err != nil {
		return err
	}
	if !known(s.Nr) {
		return fmt.Errorf("system call %d is in no list of package trace", s.Nr)
	}
	if s.Nr == unix.SYS_EXIT_GROUP && w.isOurs(tid) {
		w.run.Open = handles(tid)
	}
	c, changes := s.call(tid)
	if !changes {
		return resume(tid, 0)
	}
	if t.again > 0 {
		t.inside, t.again = t.again, 0
		return unix.PtraceSyscall(tid, 0)
	}
	n := len(w.run.Calls)
	w.run.Calls = append(w.run.Calls, c)
	var v Verdict
	if w.decide != nil {
		v = w.decide(n, c)
	}
	switch {
	case v.Kill:
		return unix.Kill(w.pid, unix.SIGKILL) // which resumes all threads, and leaves the call out
	case v.Errno != 0:
		if err := refuse(tid, v.Errno); err != nil {
			return err
		}
	}
	t.inside = n + 1
	return unix.PtraceSyscall(tid, 0)
}

// afterCall notes what a call returned.
func (w *watch) afterCall(tid int, t *thread) error {
	s, err := stopped(tid)
	if err != nil {
		return err
	}
	switch errno := s.errno(); {
	case t.inside == 0:
	case errno >= firstRestart && errno <= lastRestart:
		t.again, t.inside = t.inside, 0
	default:
		w.run.Calls[t.inside-1].Errno, t.inside = errno, 0
	}
	return resume(tid, 0)
}

// isOurs reports whether a thread is one of the program itself, and not of a child.
func (w *watch) isOurs(tid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", w.pid, tid))
	return err == nil
}

// handles are the files and folders that a process has open.
func handles(tid int) []string {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", tid))
	if err != nil {
		return nil
	}
	var open []string
	for _, e := range entries {
		target, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", tid, e.Name()))
		if err == nil && target != "" && target[0] == '/' {
			open = append(open, target)
		}
	}
	slices.Sort(open)
	return open
}

func resume(tid int, signal syscall.Signal) error {
	return gone(unix.PtraceCont(tid, int(signal)))
}

// gone: a thread may be killed by another at any moment, and its end is told later.
func gone(err error) error {
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}
