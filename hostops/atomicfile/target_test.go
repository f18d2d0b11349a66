package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

var strange = map[string]func(p *place) error{
	"link to a file": func(p *place) error { p.put("real", "x"); return os.Symlink("real", p.at("f")) },
	"dangling link":  func(p *place) error { return os.Symlink("none", p.at("f")) },
	"directory":      func(p *place) error { return os.Mkdir(p.at("f"), 0o755) },
	"pipe":           func(p *place) error { return unix.Mkfifo(p.at("f"), 0o600) },
	"socket":         func(p *place) error { return unix.Mknod(p.at("f"), unix.S_IFSOCK|0o600, 0) },
	"two names":      func(p *place) error { p.put("f", "x"); return os.Link(p.at("f"), p.at("g")) },
}

func TestWhatIsNotAPlainFileIsRefusedByName(t *testing.T) {
	for name, put := range strange {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			must(t, put(p))
			var before, after unix.Stat_t
			must(t, unix.Lstat(p.at("f"), &before))
			for what, err := range map[string]error{
				"write":          write(p.dir),
				"write volatile": atomicfile.WriteVolatile(p.dir, "f", nil, 0o600),
				"remove":         atomicfile.Remove(p.dir, "f"),
			} {
				if !errors.Is(err, atomicfile.ErrNotRegular) || !contains(err, p.at("f")) {
					t.Errorf("%s: %v", what, err)
				}
			}
			must(t, unix.Lstat(p.at("f"), &after))
			if before.Ino != after.Ino || before.Mtim != after.Mtim || before.Ctim != after.Ctim {
				t.Error("it was changed")
			}
			p.clean()
		})
	}
}

// The usual link 99-sysctl.conf and what it leads to stay as they are.
func TestALinkedSysctlConfIsNeitherReplacedNorFollowed(t *testing.T) {
	p := newPlace(t)
	p.put("sysctl.conf", "net.ipv4.ip_forward=0\n")
	must(t, os.Symlink("sysctl.conf", p.at("99-sysctl.conf")))
	before, err := os.Stat(p.at("sysctl.conf"))
	must(t, err)
	if err := atomicfile.Write(p.dir, "99-sysctl.conf", []byte("ours"), 0o644); !errors.Is(err, atomicfile.ErrNotRegular) {
		t.Errorf("error %v", err)
	}
	must(t, atomicfile.Write(p.dir, "zz-hostprofile.conf", []byte("ours"), 0o644))
	after, err := os.Stat(p.at("99-sysctl.conf"))
	must(t, err)
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("sysctl.conf was changed")
	}
	if target, err := os.Readlink(p.at("99-sysctl.conf")); err != nil || target != "sysctl.conf" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}

// The kernel answers EBUSY for a mount that no mount id showed, as before Linux 5.8.
func TestAMountIsRefusedOnKernelsWithoutMountIDs(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	p.log.Fail = func(_ int, c record.Call) error {
		if c.Op == "Rename" || c.Op == "Unlink" && c.Name == "f" {
			return unix.EBUSY
		}
		return nil
	}
	for what, err := range map[string]error{"write": write(p.dir), "remove": atomicfile.Remove(p.dir, "f")} {
		if !errors.Is(err, atomicfile.ErrNotRegular) || !contains(err, p.at("f")) {
			t.Errorf("%s: %v", what, err)
		}
	}
	p.holds("f", "old")
	p.clean()
}

func TestOtherMountsAreRefused(t *testing.T) {
	for name, change := range map[string]func(s *atomicfile.Stat){
		"mount": func(s *atomicfile.Stat) { s.Mount++ },
		// Before Linux 5.8 there are no mount ids.
		"device": func(s *atomicfile.Stat) { s.Dev++; s.Mount = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.put("f", "old")
			p.dir.System = mounted{p.log, change}
			if err := write(p.dir); !errors.Is(err, atomicfile.ErrNotRegular) || !contains(err, "mounted") {
				t.Errorf("error %v", err)
			}
			p.holds("f", "old")
		})
	}
}

// On an overlay whose layers are on different file systems, a file has another device
// than its directory, on the same mount.
func TestAFileOfAnOverlayIsReplaced(t *testing.T) {
	p := newPlace(t)
	p.put("f", "old")
	p.dir.System = mounted{p.log, func(s *atomicfile.Stat) { s.Dev++ }}
	must(t, atomicfile.Write(p.dir, "f", []byte("new"), 0o644))
	p.holds("f", "new")
	must(t, atomicfile.Remove(p.dir, "f"))
}

// mounted is a System in which files are on another mount than their directory.
type mounted struct {
	*record.System
	change func(*atomicfile.Stat)
}

func (m mounted) Stat(dir int, name string) (atomicfile.Stat, error) {
	s, err := m.System.Stat(dir, name)
	if name != "" {
		m.change(&s)
	}
	return s, err
}

func TestADirectoryIsOpenedByItsOwnName(t *testing.T) {
	p := newPlace(t)
	must(t, os.Symlink(p.path, p.at("link")))
	if _, err := atomicfile.OpenDir(p.at("link")); err == nil {
		t.Error("a link was opened")
	}
	if _, err := atomicfile.OpenDir(p.at("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one: %v", err)
	}
}

func TestAFileIsRemovedDurably(t *testing.T) {
	p := newPlace(t)
	p.put("f", "x")
	must(t, atomicfile.Remove(p.dir, "f"))
	p.holds("f", "-")
	if ops := p.ops(); ops[len(ops)-1] != "Fsync directory" {
		t.Errorf("calls %q", ops)
	}
	if err := atomicfile.Remove(p.dir, "f"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("again: %v", err)
	}
	p.put("f", "x")
	p.log.Fail = func(_ int, c record.Call) error {
		if c.Op == "Fsync" {
			return syscall.EIO
		}
		return nil
	}
	if err := atomicfile.Remove(p.dir, "f"); !errors.Is(err, atomicfile.ErrNotDurable) {
		t.Errorf("unsynced: %v", err)
	}
	p.holds("f", "-")
}
