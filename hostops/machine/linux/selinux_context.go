package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

func (s *selinux) FileContext(regex string) (string, error) {
	p, err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // no policy, and nothing registered in it
	}
	if err != nil {
		return "", err
	}
	c, _ := filecontext.ParseContext(p.contexts.Local(regex))
	return c.Type, nil
}

// SetFileContext leaves the policy in the kernel as it is (--noreload): the kernel knows
// nothing of paths.
func (s *selinux) SetFileContext(ctx context.Context, regex, typ string) error {
	if !strings.HasPrefix(regex, "/") || strings.HasPrefix(typ, "-") || strings.ContainsAny(regex+typ, " \t\n\x00") {
		return failed("register a label for", regex, fs.ErrInvalid)
	}
	was, err := s.FileContext(regex)
	if err != nil || was == typ {
		return err
	}
	args := []string{"fcontext", "--noreload", "--add", "--type", typ, regex}
	switch {
	case typ == "":
		args = []string{"fcontext", "--noreload", "--delete", regex}
	case was != "":
		args[2] = "--modify"
	}
	_, err = s.root.run(ctx, semanage, args...)
	if errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("%w: %w", err, errors.ErrUnsupported)
	}
	return failed("register a label for", regex, err)
}
