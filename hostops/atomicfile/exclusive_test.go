package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

func TestCreateExclusiveNeverReplaces(t *testing.T) {
	strange := map[string]func(p *place) error{
		"file":          func(p *place) error { p.put("f", "old"); return nil },
		"dangling link": func(p *place) error { return os.Symlink("none", p.at("f")) },
		"directory":     func(p *place) error { return os.Mkdir(p.at("f"), 0o755) },
	}
	for name, put := range strange {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			must(t, put(p))
			info, err := atomicfile.CreateExclusive(p.dir, "f", []byte("new"), 0o600)
			if !errors.Is(err, fs.ErrExist) || info != nil {
				t.Errorf("%v, %v", info, err)
			}
			p.clean()
		})
	}
}

func TestCreateExclusiveLosesARace(t *testing.T) {
	p := newPlace(t)
	p.log.Fail = func(_ int, c record.Call) error {
		if c.Op == "Link" {
			p.put("f", "theirs")
		}
		return nil
	}
	if err := exclusive(p.dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	p.holds("f", "theirs")
	p.clean()
}

func TestCreateExclusiveDescribesTheCreatedInode(t *testing.T) {
	fails := map[string]func(c record.Call) error{
		"nothing":          func(record.Call) error { return nil },
		"directory's sync": func(c record.Call) error { return failIf(c.Op == "Fsync" && c.Dir) },
		"temp's removal":   func(c record.Call) error { return failIf(c.Op == "Unlink") },
	}
	want := map[string]error{"directory's sync": atomicfile.ErrNotDurable, "temp's removal": atomicfile.ErrStrayCopy}
	for name, fail := range fails {
		t.Run(name+" fails", func(t *testing.T) {
			p := newPlace(t)
			p.log.Fail = func(_ int, c record.Call) error { return fail(c) }
			info, err := atomicfile.CreateExclusive(p.dir, "f", []byte("new"), 0o640)
			if !errors.Is(err, want[name]) {
				t.Errorf("error %v", err)
			}
			p.holds("f", "new")
			var s unix.Stat_t
			must(t, unix.Lstat(p.at("f"), &s))
			if made := info.Sys().(atomicfile.Stat); made.Ino != s.Ino || info.Mode() != 0o640 || info.Size() != 3 || info.Name() != "f" {
				t.Errorf("described as %v %+v", info, made)
			}
		})
	}
}

func failIf(fail bool) error {
	if fail {
		return unix.EIO
	}
	return nil
}

// A crash between the second name and the removal of the first leaves a file of two
// names, which no write replaces before the sweep.
func TestASweepGivesAFileItsOneNameBack(t *testing.T) {
	p := newPlace(t)
	p.log.Fail = func(_ int, c record.Call) error { return failIf(c.Op == "Unlink") }
	if err := exclusive(p.dir); !errors.Is(err, atomicfile.ErrStrayCopy) {
		t.Fatalf("error %v", err)
	}
	p.log.Fail = nil
	if err := atomicfile.Write(p.dir, "f", []byte("other"), 0o600); !errors.Is(err, atomicfile.ErrNotRegular) {
		t.Errorf("write before the sweep: %v", err)
	}
	swept, err := atomicfile.Sweep(p.dir, "f")
	if err != nil || len(swept) != 1 {
		t.Fatalf("swept %q, %v", swept, err)
	}
	must(t, atomicfile.Write(p.dir, "f", []byte("other"), 0o600))
	p.holds("f", "other")
}

func TestIsTemp(t *testing.T) {
	for _, c := range []struct {
		base, name string
		want       bool
	}{
		{"f", atomicfile.TempName("f", "0123456789abcdef"), true},
		{"f.conf", atomicfile.TempName("f.conf", "ffffffffffffffff"), true},
		{"f", atomicfile.TempName("g", "0123456789abcdef"), false},
		{"f", atomicfile.TempName("f.g", "0123456789abcdef"), false},
		{"f", atomicfile.TempName("f", "0123456789abcde"), false},
		{"f", atomicfile.TempName("f", "0123456789ABCDEF"), false},
		{"f", atomicfile.TempName("f", "0123456789abcdefg"), false},
		{"f", "f", false},
		{"f", ".f", false},
		{"f", ".f.hostprofile~", false},
		{"f", ".f..hostprofile~", false},
		{"f", ".f.~", false},
	} {
		if got := atomicfile.IsTemp(c.base, c.name); got != c.want {
			t.Errorf("IsTemp(%q, %q) = %v", c.base, c.name, got)
		}
	}
}
