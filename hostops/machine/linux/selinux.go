package linux

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

// selinux implements machine.SELinux. It is used by one goroutine, or by several.
type selinux struct {
	root  *root
	files *files
	once  sync.Once
	on    bool

	mu     sync.Mutex // guards the policy
	policy *policy
}

// selinuxFS is where the kernel shows SELinux.
const selinuxFS = "/sys/fs/selinux"

// enabled looks once: SELinux is never switched on without a boot.
func (s *selinux) enabled() bool {
	s.once.Do(func() {
		handle, err := s.root.follow(selinuxFS)
		if err != nil {
			return
		}
		defer shut(handle)
		var at unix.Statfs_t
		s.on = unix.Fstatfs(handle, &at) == nil && at.Type == unix.SELINUX_MAGIC && hasPolicy()
	})
	return s.on
}

// hasPolicy reports whether a policy is loaded. Without one all processes are "kernel".
func hasPolicy() bool {
	fd, err := unix.Open("/proc/thread-self/attr/current", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer shut(fd)
	b, err := readAll(fd, 128)
	return err == nil && string(bytes.TrimRight(b, "\x00\n")) != "kernel"
}

func (s *selinux) SELinuxMode() (machine.SELinuxMode, error) {
	if !s.enabled() {
		return machine.SELinuxOff, nil
	}
	b, err := s.files.Read(selinuxFS + "/enforce")
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(string(b)) == "1" {
		return machine.SELinuxEnforcing, nil
	}
	return machine.SELinuxPermissive, nil
}

// HasType asks the kernel whether a label with the type is a valid one.
func (s *selinux) HasType(name string) (bool, error) {
	if !s.enabled() {
		return false, nil
	}
	label, err := s.sample(name)
	if err != nil {
		return false, err
	}
	handle, err := s.root.follow(selinuxFS + "/context")
	if err != nil {
		return false, failed("look for the type", name, err)
	}
	defer shut(handle)
	fd, err := reopen(handle, unix.O_RDWR)
	if err != nil {
		return false, failed("look for the type", name, err)
	}
	defer shut(fd)
	_, err = unix.Write(fd, append([]byte(label), 0))
	if errors.Is(err, unix.EINVAL) {
		return false, nil
	}
	return err == nil, failed("look for the type", name, err)
}

// sample is a label of a file with the given type; its other parts are those of /etc,
// which every policy names.
func (s *selinux) sample(typ string) (string, error) {
	label, err := s.named("/etc", filecontext.Directory)
	if err != nil {
		return "", err
	}
	c, ok := filecontext.ParseContext(label)
	if !ok {
		return "", fmt.Errorf("the policy names no label for /etc: %w", fs.ErrNotExist)
	}
	c.Type = typ
	return c.String(), nil
}

func (s *selinux) TypeFor(path string, folder bool) (string, error) {
	if !s.enabled() {
		return "", nil
	}
	kind := filecontext.Regular
	if folder {
		kind = filecontext.Directory
	}
	label, err := s.named(path, kind)
	c, _ := filecontext.ParseContext(label)
	return c.Type, err
}

func (s *selinux) Label(path string) (have, want string, err error) {
	if !s.enabled() {
		return "", "", nil
	}
	handle, kind, err := s.entry(path)
	if err != nil {
		return "", "", failed("read the label of", path, err)
	}
	defer shut(handle)
	if have, err = readLabel(handle); err != nil {
		return "", "", failed("read the label of", path, err)
	}
	want, err = s.wanted(path, kind, have)
	return have, want, err
}

func (s *selinux) Relabel(path string) error {
	if !s.enabled() {
		return nil
	}
	handle, kind, err := s.entry(path)
	if err != nil {
		return failed("label", path, err)
	}
	defer shut(handle)
	have, err := readLabel(handle)
	if err != nil {
		return failed("label", path, err)
	}
	want, err := s.wanted(path, kind, have)
	if err != nil || want == have {
		return err
	}
	return failed("label", path, writeLabel(handle, want))
}

// entry opens a file or folder by a path without links.
func (s *selinux) entry(path string) (handle int, kind filecontext.Kind, err error) {
	if handle, err = s.root.strict(path); err != nil {
		return -1, 0, err
	}
	var st unix.Stat_t
	if err = unix.Fstat(handle, &st); err == nil {
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFREG:
			return handle, filecontext.Regular, nil
		case unix.S_IFDIR:
			return handle, filecontext.Directory, nil
		}
		err = machine.ErrNotRegular
	}
	shut(handle)
	return -1, 0, err
}

// xattr is where the kernel keeps a file's label.
const xattr = "security.selinux"

// readLabel and writeLabel go through /proc, since O_PATH handles have no labels.
func readLabel(handle int) (string, error) {
	b := make([]byte, 4096) // a page is the most that the kernel takes
	n, err := unix.Getxattr(through(handle), xattr, b)
	if err != nil {
		return "", err
	}
	return string(bytes.TrimRight(b[:n], "\x00")), nil
}

func writeLabel(handle int, label string) error {
	return unix.Setxattr(through(handle), xattr, append([]byte(label), 0), 0)
}

func through(handle int) string { return "/proc/self/fd/" + strconv.Itoa(handle) }
