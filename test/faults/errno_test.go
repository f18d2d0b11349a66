package faults

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/test/faults/trace"
	"github.com/hostprofile/hostprofile/test/snapshot"
)

// errnos are what the kernel may say to any call.
var errnos = []syscall.Errno{
	syscall.ENOSPC, syscall.EROFS, syscall.EIO, syscall.EDQUOT, syscall.EACCES, syscall.EINTR, syscall.EMFILE, syscall.ENOMEM,
}

// words are how we say some of them ourselves, where we know more than the kernel.
var words = map[syscall.Errno]string{syscall.EROFS: "read-only", syscall.EACCES: "does not allow"}

// TestErrnoSweep: whatever call fails with whatever error, each file is the old one or the
// new one and whole, nothing is left behind, the error is told, and the next run does the
// rest. The short form gives every call one of the errors in turn, and all of them to the
// calls that write one file.
func TestErrnoSweep(t *testing.T) {
	w := inWorld(t)
	if w == nil {
		return
	}
	tried, quiet := 0, 0
	for _, s := range stories {
		ok := t.Run(s.name, func(t *testing.T) {
			f := &failing{killing: killing{world: &world{t: t, looker: w.looker, program: w.program}, story: s}}
			f.begin(f.world)
			f.record()
			for n := range f.calls {
				for _, errno := range f.choose(n) {
					f.with(n, errno)
					tried++
				}
			}
			quiet += f.quiet
			f.clear()
		})
		if !ok {
			break
		}
	}
	tell(t, "errors of the kernel: %d, at every call, each file whole and the next run right; %d told, %d overcome", tried, tried-quiet, quiet)
}

// failing is one story in whose run calls fail.
type failing struct {
	killing
	quiet int // errors after which the run ended well
}

// choose returns the errors that a call is given.
func (f *failing) choose(n int) []syscall.Errno {
	if long || strings.Contains(f.calls[n], filepath.Base(paths.SysctlDropIn)) {
		return errnos
	}
	return errnos[n%len(errnos) : n%len(errnos)+1]
}

// with lets the n-th call fail.
func (f *failing) with(n int, errno syscall.Errno) {
	f.t.Helper()
	when := fmt.Sprintf("after %s at call %d, %s,", errno.Error(), n, f.calls[n])
	r := f.traced(func(at int, _ trace.Call) trace.Verdict {
		if at == n {
			return trace.Verdict{Errno: errno}
		}
		return trace.Verdict{}
	}, f.do...)
	if len(r.Calls) <= n || r.Calls[n].String() != f.calls[n] || r.Calls[n].Errno != errno {
		f.t.Fatalf("%s the run was not as recorded: %q", when, names(r.Calls))
	}
	f.outcome(r, n, when)
	f.leavesNothing(r, n, when)
	f.bootstrap(f.do...)
	f.mustBe(f.after, when+" and the same run again,")
	f.changesNothing(when+" and the same run again,", f.do...)
	f.back(when + " the same run again and its undoing,")
	if f.t.Failed() {
		f.t.Fatalf("%s the run ended with %d:\n%s", when, r.ExitCode, r.Output)
	}
}

// outcome: the run ends well and has done everything, or it says what failed and why.
func (f *failing) outcome(r *trace.Run, n int, when string) {
	f.t.Helper()
	c := r.Calls[n]
	done := len(snapshot.Diff(f.after, f.look())) == 0
	if done && r.ExitCode == 0 {
		f.quiet++
		return
	}
	// What is in force all the same, if not for ever, and a mount, are warned of.
	warned := c.Errno == syscall.EROFS || c.Name == "mount" || c.Name == "fsync" && !c.Temporary()
	if r.ExitCode != 1 && (r.ExitCode != 0 || !warned) {
		f.t.Errorf("%s the run ended with %d", when, r.ExitCode)
	}
	said := strings.Join(strings.Fields(r.Output), " ")
	if !slices.ContainsFunc(spellings(c), func(name string) bool { return strings.Contains(said, name) }) {
		f.t.Errorf("%s the run does not name what failed", when)
	}
	if why, ok := words[c.Errno]; !strings.Contains(said, c.Errno.Error()) && (!ok || !strings.Contains(said, why)) {
		f.t.Errorf("%s the run does not say why", when)
	}
}

// spellings are the names by which a person knows what a call is about.
func spellings(c trace.Call) []string {
	names := []string{strings.TrimSuffix(c.Path, " (deleted)"), c.Final()}
	if c.To != "" {
		names = append(names, c.To)
	}
	if key, ok := strings.CutPrefix(c.Path, "/proc/sys/"); ok {
		names = append(names, strings.ReplaceAll(key, "/", "."))
	}
	if c.Name == "mount" {
		names = append(names, "mount/")
	}
	return names
}

// leavesNothing: no temporary file, no open file, no file that is neither old nor new, and
// no second fsync of a file whose first one failed.
func (f *failing) leavesNothing(r *trace.Run, n int, when string) {
	f.t.Helper()
	now := f.look()
	for name := range now {
		path, isFile := strings.CutPrefix(name, "file ")
		if isFile && strings.HasSuffix(path, "~") && r.Calls[n].Name != "unlinkat" {
			f.t.Errorf("%s there is %s", when, path)
		}
		f.whole(now, name, when)
	}
	for _, path := range r.Open {
		if !slices.Contains(f.open, path) && !strings.HasPrefix(path, "/proc/") {
			f.t.Errorf("%s %s is still open at the end", when, path)
		}
	}
	failed := r.Calls[n]
	for _, c := range r.Calls[n+1:] {
		if failed.Name == "fsync" && failed.Temporary() && c.Name == "fsync" && c.Inode == failed.Inode && c.Device == failed.Device {
			f.t.Errorf("%s it is synced again: the kernel calls that a success", when)
		}
	}
}

// whole: a file has its old content or its new one, temporary ones aside. Our own records may be in between, and
// can be read then.
func (f *failing) whole(now snapshot.Snapshot, name, when string) {
	f.t.Helper()
	path, isContent := strings.CutPrefix(name, "content ")
	if !isContent || strings.HasSuffix(path, "~") || slices.Contains(lockPaths, path) || now[name] == f.before[name] || now[name] == f.after[name] {
		return
	}
	text, err := os.ReadFile(path)
	must(f.t, err)
	if filepath.Ext(path) != ".json" || !json.Valid(text) {
		f.t.Errorf("%s %s is neither old nor new: %q", when, path, text)
	}
}
