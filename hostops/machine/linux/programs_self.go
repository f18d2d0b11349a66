package linux

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// programs implements machine.Programs.
type programs struct {
	root  *root
	files *files
	known digests
	// elsewhere: a program that is not on the host is known by the name of executable.
	elsewhere bool
}

// executable is the program that runs, even if its file has got another name or none.
const executable = "/proc/self/exe"

func (p *programs) Self() (string, error) {
	name, err := os.Readlink(executable)
	if err != nil {
		return "", failed("find", executable, err)
	}
	if p.root.path != "/" {
		within, ok := strings.CutPrefix(name, strings.TrimSuffix(p.root.path, "/")+"/")
		if !ok && p.elsewhere {
			return executable, nil
		}
		if !ok {
			return "", named("find", name, "it is not on the host", fs.ErrNotExist)
		}
		name = "/" + within
	}
	return name, p.isSelf(name)
}

// isSelf fails unless the file of that name is the one that runs: the program may have
// been replaced, and may run in a mount namespace where other files have these names.
func (p *programs) isSelf(name string) error {
	fd, err := p.root.follow(name)
	if err != nil {
		return failed("find", name, err)
	}
	defer shut(fd)
	var there, self unix.Stat_t
	if err := errors.Join(unix.Fstat(fd, &there), unix.Stat(executable, &self)); err != nil {
		return failed("find", name, err)
	}
	if there.Dev != self.Dev || there.Ino != self.Ino {
		return named("find", name, "the program that runs is another one", fs.ErrNotExist)
	}
	return nil
}

func (p *programs) Digest(name string) (string, error) {
	if p.elsewhere && name == executable {
		return p.digestSelf()
	}
	handle, err := p.root.follow(name)
	if err != nil {
		return "", failed("read", name, err)
	}
	defer shut(handle)
	fd, err := reopen(handle, unix.O_RDONLY)
	if err != nil {
		return "", failed("read", name, err)
	}
	file := os.NewFile(uintptr(fd), name)
	defer func() { _ = file.Close() }() // it was only read
	digest, err := p.known.of(file)
	return digest, failed("read", name, err)
}

// digestSelf reads the program that runs where it is.
func (p *programs) digestSelf() (string, error) {
	file, err := os.Open(executable)
	if err != nil {
		return "", failed("read", executable, err)
	}
	defer func() { _ = file.Close() }() // it was only read
	digest, err := p.known.of(file)
	return digest, failed("read", executable, err)
}

// CopySelf copies what was read before, if that was lately: nobody can write to a program
// that runs.
func (p *programs) CopySelf(name, digest string) error {
	self, err := p.digestSelf()
	if err != nil {
		return err
	}
	if self != digest {
		return fmt.Errorf("copy this program to %s: it is not the one that was meant", name)
	}
	content, unmap, err := mapped(executable)
	if err != nil {
		return failed("read", executable, err)
	}
	defer unmap()
	return p.files.in("write", name, func(d atomicfile.Dir, base string) error {
		return atomicfile.Write(d, base, content, machine.ProgramMode)
	})
}

// mapped returns the content of a file without a copy of it.
func mapped(name string) (content []byte, unmap func(), err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	content, err = unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_POPULATE)
	return content, func() { _ = unix.Munmap(content) }, err // nothing is lost with it
}

// Place walks to the deepest folder that is there: what is below it would be made by us.
func (p *programs) Place(dir string) (machine.Place, error) {
	if err := clean(dir); err != nil {
		return machine.Place{}, failed("look at", dir, err)
	}
	rest := ""
	for at := dir; ; at = path.Dir(at) {
		place, err := p.place(at)
		if errors.Is(err, fs.ErrNotExist) && at != "/" {
			rest = path.Join(path.Base(at), rest)
			continue
		}
		place.Dir = path.Join(place.Dir, rest)
		return place, failed("look at", at, err)
	}
}

func (p *programs) place(dir string) (out machine.Place, err error) {
	fd, err := p.root.follow(dir)
	if err != nil {
		return out, err
	}
	defer shut(fd)
	var s unix.Statfs_t
	if err := unix.Fstatfs(fd, &s); err != nil {
		return out, err
	}
	out.ReadOnly, out.NoExec = s.Flags&unix.ST_RDONLY != 0, s.Flags&unix.ST_NOEXEC != 0
	if out.Dir, err = os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err != nil {
		return out, err
	}
	if p.root.path != "/" {
		out.Dir = path.Clean("/" + strings.TrimPrefix(out.Dir, strings.TrimSuffix(p.root.path, "/")))
	}
	out.Safe = p.safe(out.Dir)
	return out, nil
}

// safe reports whether nobody but root can put another file into a folder, or in its place.
func (p *programs) safe(dir string) bool {
	for at := dir; ; at = path.Dir(at) {
		info, err := p.files.Lstat(at)
		if err != nil || !info.IsDir() {
			return false
		}
		if owner, _ := info.Sys().(machine.Owner); owner.UID != 0 || info.Mode()&0o002 != 0 {
			return false
		}
		if at == "/" {
			return true
		}
	}
}

// hash reads a file to its end.
func hash(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{r}, make([]byte, 1<<18)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
