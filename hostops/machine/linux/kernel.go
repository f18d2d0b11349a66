package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// kernel implements machine.Kernel.
type kernel struct{ root *root }

// LoadModule runs modprobe twice: once to learn what it would do (-D), which is the
// only way to tell the reasons apart without reading its messages, and once to do it.
// With -b a blacklisted module is left alone, as at boot; modprobe calls that success.
func (k *kernel) LoadModule(ctx context.Context, name string) error {
	if err := checkModule(name); err != nil {
		return failed("load module", name, err)
	}
	if loaded(name) {
		return nil
	}
	out, err := k.root.run(ctx, modprobe, "-D", name)
	if err != nil {
		return failed("load module", name, absent(err))
	}
	steps := parsePlan(out)
	if rule := steps.forbidden(); rule != "" {
		return named("load module", name, fmt.Sprintf("modprobe.d says %q", rule), machine.ErrForbidden)
	}
	if _, err := k.root.run(ctx, modprobe, "-b", name); err != nil {
		return failed("load module", name, err)
	}
	return steps.verify(name)
}

// checkModule refuses what modprobe could take for an option or a path.
func checkModule(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if name == "" || name[0] == '-' || strings.Trim(name, letters) != "" {
		return fmt.Errorf("not a module name: %w", fs.ErrInvalid)
	}
	return nil
}

// loaded reports whether the kernel has a module, loaded or built in. One that is
// built in without parameters does not show, and one that is being loaded or removed
// does not count.
func loaded(name string) bool {
	dir := "/sys/module/" + strings.ReplaceAll(name, "-", "_")
	fd, err := unix.Open(dir+"/initstate", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return unix.Access(dir, unix.F_OK) == nil
	}
	defer shut(fd)
	b, err := readAll(fd, 16)
	return err == nil && string(b) == "live\n"
}

// absent gives modprobe's refusal of a name its meaning: there is no such module for
// the running kernel. That modprobe itself is missing is another matter.
func absent(err error) error {
	var exit *exitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w: %w", err, errors.ErrUnsupported)
	}
	return err
}

// plan is the lines of modprobe -D: "insmod FILE [OPTIONS]",
// "builtin NAME" or "install COMMAND", the module itself last.
type plan []string

func parsePlan(out string) plan {
	var p plan
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" {
			p = append(p, line)
		}
	}
	return p
}

// forbidden returns the install rule that does nothing on purpose, if there is one.
func (p plan) forbidden() string {
	for _, line := range p {
		f := strings.Fields(line)
		if len(f) > 1 && f[0] == "install" && (path.Base(f[1]) == "true" || path.Base(f[1]) == "false") {
			return line
		}
	}
	return ""
}

// verify looks whether the kernel has the module now. What is built in need not show.
func (p plan) verify(name string) error {
	if len(p) == 0 {
		return nil
	}
	what, rest, _ := strings.Cut(p[len(p)-1], " ")
	switch {
	case what == "insmod" && !loaded(moduleOf(rest)):
		return named("load module", name, "blacklisted in modprobe.d", machine.ErrForbidden)
	case what == "install" && !loaded(name):
		return named("load module", name, fmt.Sprintf("modprobe.d says %q", rest), machine.ErrForbidden)
	}
	return nil
}

// moduleOf returns the name under which a module's file shows in /sys/module, which
// is not the name asked for if that is an alias.
func moduleOf(file string) string {
	file, _, _ = strings.Cut(file, " ")
	name, _, _ := strings.Cut(path.Base(file), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}
