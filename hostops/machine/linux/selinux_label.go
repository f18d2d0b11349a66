package linux

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

func (s *selinux) labelFile(fd int, path string) error {
	return s.label(fd, path, filecontext.Regular)
}

func (s *selinux) labelFolder(fd int, path string) error {
	return s.label(fd, path, filecontext.Directory)
}

// label gives a file that was just made the label of its final path. Where one is there
// already, it keeps that one's user, role and range, which somebody may have set on
// purpose.
//
// A file is more important than its label: one that the policy does not tell, or that the
// kernel does not take, is left to what the kernel gives new files, and whoever manages
// SELinux finds it with Label.
func (s *selinux) label(fd int, path string, kind filecontext.Kind) error {
	if !s.enabled() {
		return nil
	}
	label, err := s.labelOfNew(path, kind)
	if err != nil || label == "" {
		return nil //nolint:nilerr // as said above
	}
	if has, err := readLabel(fd); err == nil && has == label {
		return nil
	}
	err = writeLabel(fd, label)
	for _, refusal := range []error{unix.EOPNOTSUPP, unix.EINVAL, fs.ErrPermission} {
		if errors.Is(err, refusal) {
			return nil
		}
	}
	return err
}

func (s *selinux) labelOfNew(path string, kind filecontext.Kind) (string, error) {
	handle, is, err := s.entry(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.named(path, kind)
	}
	if err != nil || is != kind {
		return "", err
	}
	defer shut(handle)
	old, err := readLabel(handle)
	if err != nil {
		return "", err
	}
	return s.wanted(path, kind, old)
}
