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

// LoadModule runs modprobe twice: once to learn what it would do, which is the only
// way to tell the reasons apart without reading its messages, and once to do it.
func (k *kernel) LoadModule(ctx context.Context, name string) error {
	if err := checkModule(name); err != nil {
		return failed("load module", name, err)
	}
	if loaded(name) {
		return nil
	}
	plan, err := k.root.run(ctx, modprobe, "--show-depends", name)
	if err != nil {
		return failed("load module", name, absent(err))
	}
	steps := parsePlan(plan)
	if rule := steps.forbidden(); rule != "" {
		return named("load module", name, fmt.Sprintf("modprobe.d says %q", rule), machine.ErrForbidden)
	}
	if _, err := k.root.run(ctx, modprobe, "--use-blacklist", name); err != nil {
		return failed("load module", name, err)
	}
	if module := steps.module(); module != "" && !loaded(module) {
		return named("load module", name, "blacklisted in modprobe.d", machine.ErrForbidden)
	}
	return nil
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
	defer unix.Close(fd)
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

// plan is the lines of modprobe --show-depends: "insmod FILE [OPTIONS]",
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

// module returns the name under which the last file shows in /sys/module, which is
// not the name asked for if that is an alias. It is empty if no file is loaded.
func (p plan) module() string {
	if len(p) == 0 {
		return ""
	}
	f := strings.Fields(p[len(p)-1])
	if len(f) < 2 || f[0] != "insmod" {
		return ""
	}
	name, _, _ := strings.Cut(path.Base(f[1]), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}
