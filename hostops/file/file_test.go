package file_test

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const path = "/etc/sysctl.d/zz-hostprofile.conf"

var text = item.FileState(0o644, []byte("a = 1\n"))

func operation(h *fake.Host) *file.Operation { return file.New(h.Machine()) }

func observe(t *testing.T, h *fake.Host) item.State {
	t.Helper()
	s, err := operation(h).Observe(t.Context(), file.Key(path))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func failure(t *testing.T, err error) *item.Error {
	t.Helper()
	var e *item.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
	return e
}

func TestFileIsMadeChangedAndRemoved(t *testing.T) {
	h := fake.New()
	other := item.FileState(0o600, []byte("b\xff"))
	from := item.Absent
	for _, to := range []item.State{text, other, text, item.Absent} {
		if s := observe(t, h); s != from {
			t.Fatalf("found %s, want %s", s, from)
		}
		if err := operation(h).Apply(t.Context(), file.Key(path), from, to); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	if s := observe(t, h); s != item.Absent {
		t.Errorf("left %s", s)
	}
}

func TestRemovingWhatIsGoneIsNoError(t *testing.T) {
	if err := operation(fake.New()).Apply(t.Context(), file.Key(path), text, item.Absent); err != nil {
		t.Error(err)
	}
}

// TestWhatIsNoPlainFileIsLeftAloneAndNamed: a link at our path belongs to somebody, and
// so does what it leads to.
func TestWhatIsNoPlainFileIsLeftAloneAndNamed(t *testing.T) {
	for _, c := range []struct {
		name  string
		place func(*fake.Host)
		word  string
	}{
		{"link", func(h *fake.Host) { h.PutFile("/etc/sysctl.conf", "x"); h.PutLink(path, "../sysctl.conf") }, "symbolic link"},
		{"dangling link", func(h *fake.Host) { h.PutLink(path, "/nowhere") }, "symbolic link"},
		{"directory", func(h *fake.Host) { h.PutDir(path, 0o755) }, "directory"},
		{"device", func(h *fake.Host) { h.PutDevice(path) }, "device"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.New()
			c.place(h)
			before := h.String()
			s, err := operation(h).Observe(t.Context(), file.Key(path))
			e := failure(t, err)
			if s != item.Unknown || e.Reason != file.UnexpectedFile || !strings.Contains(e.Message, path) || !strings.Contains(e.Message, c.word) {
				t.Errorf("%s, %s: %s", s, e.Reason, e.Message)
			}
			for _, to := range []item.State{text, item.Absent} {
				err := operation(h).Apply(t.Context(), file.Key(path), item.Absent, to)
				if e := failure(t, err); e.Reason != file.UnexpectedFile || !strings.Contains(e.Message, c.word) {
					t.Errorf("apply: %s: %s", e.Reason, e.Message)
				}
			}
			if after := h.String(); after != before {
				t.Errorf("the host changed:\n%s\n%s", before, after)
			}
		})
	}
}

func TestFileOfSeveralNamesIsNotReplaced(t *testing.T) {
	h := fake.New()
	h.PutFile(path, "x")
	h.Hardlink(path, 2)
	err := operation(h).Apply(t.Context(), file.Key(path), observe(t, h), text)
	if e := failure(t, err); e.Reason != file.UnexpectedFile {
		t.Errorf("%v", err)
	}
}

func TestFailuresHaveTheirReasons(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  func(*fake.Host)
		reason item.Reason
		intact bool
	}{
		{"read-only /etc", func(h *fake.Host) { h.MountReadOnly("/etc", true) }, file.ReadOnlyEtc, true},
		{"full disk", func(h *fake.Host) { h.FillDisk(true) }, file.DiskFull, true},
		{"not durable", func(h *fake.Host) { h.FailChange(path, machine.ErrNotDurable) }, file.NotDurable, false},
		{"no right", func(h *fake.Host) { h.FailChange(path, fs.ErrPermission) }, file.PermissionDenied, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.New()
			h.PutFile(path, "old\n")
			before := observe(t, h)
			c.fault(h)
			e := failure(t, operation(h).Apply(t.Context(), file.Key(path), before, text))
			if e.Reason != c.reason || !strings.Contains(e.Message, path) {
				t.Errorf("%s: %s", e.Reason, e.Message)
			}
			if c.intact && observe(t, h) != before {
				t.Errorf("the old content is gone: %s", observe(t, h))
			}
		})
	}
}

// A folder that cannot be synced for want of space has the new file all the same: that it
// were as it was would be wrong. And who has space left is told of the quota.
func TestAFailureSaysWhatHasBecomeOfTheFileAndWhy(t *testing.T) {
	for cause, want := range map[error]string{
		errors.Join(machine.ErrNotDurable, machine.ErrNoSpace, syscall.ENOSPC): path + " is changed, but a power cut may take that back: no space left on device",
		errors.Join(machine.ErrNotDurable, syscall.EIO):                        path + " is changed, but a power cut may take that back: input/output error",
		errors.Join(machine.ErrNoSpace, syscall.EDQUOT):                        path + " is as it was: disk quota exceeded",
	} {
		h := fake.New()
		h.FailChange(path, cause)
		e := failure(t, operation(h).Apply(t.Context(), file.Key(path), item.Absent, text))
		if e.Message != want {
			t.Errorf("%q, want %q", e.Message, want)
		}
	}
}

func TestStateOfSomethingElseIsNotWritten(t *testing.T) {
	h := fake.New()
	for _, s := range []item.State{item.Unknown, item.Text("x")} {
		if err := operation(h).Apply(t.Context(), file.Key(path), item.Absent, s); err == nil {
			t.Errorf("%s was written", s)
		}
	}
}

func TestFileOutlivesTheBoot(t *testing.T) {
	if tr := operation(fake.New()).Traits(file.Key(path)); tr.Store != item.Durable || tr.Epoch != "" || tr.Listed {
		t.Errorf("%+v", tr)
	}
}
