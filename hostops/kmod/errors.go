package kmod

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The reasons that this package gives.
const (
	ModuleUnavailable item.Reason = "ModuleUnavailable"
	ModuleBlacklisted item.Reason = "ModuleBlacklisted"
	PermissionDenied  item.Reason = "PermissionDenied"
)

// explain says why a module was not loaded.
func (o *Operation) explain(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.explainMissing(name, err)
	case errors.Is(err, machine.ErrForbidden):
		return o.explainForbidden(name, err)
	case errors.Is(err, fs.ErrPermission):
		return o.explainDenied(name, err)
	default:
		return fmt.Errorf("load module %s: %w", name, err)
	}
}

// explainMissing tells a kernel without this module from a host without its kernel's
// modules, which is what an update without a reboot leaves.
func (o *Operation) explainMissing(name string, err error) error {
	release, rerr := o.release()
	if rerr != nil {
		return rerr
	}
	e := &item.Error{
		Reason:  ModuleUnavailable,
		Message: fmt.Sprintf("kernel %s has no module %s", release, name),
		Err:     err,
	}
	dir := path.Join(paths.LibModules, release)
	if _, lerr := o.m.Files.Lstat(dir); errors.Is(lerr, fs.ErrNotExist) {
		e.Message = fmt.Sprintf("module %s is not part of kernel %s, and %s is missing", name, release, dir)
		e.Fix = "reboot into the installed kernel, or install the modules of " + release
	}
	return e
}

func (o *Operation) explainForbidden(name string, err error) error {
	e := &item.Error{
		Reason:  ModuleBlacklisted,
		Message: fmt.Sprintf("module %s is forbidden by the modprobe configuration", name),
		Err:     err,
	}
	if r, ok := o.forbiddenBy(name); ok {
		e.File, e.Line = r.file, r.line
		e.Message = fmt.Sprintf("%s is forbidden by %s:%d", name, r.file, r.line)
		e.Fix = "delete that line"
	}
	return e
}

// explainDenied: the kernel itself refuses, although we are root.
func (o *Operation) explainDenied(name string, err error) error {
	if o.deniedAtBoot(name) {
		return &item.Error{
			Reason:  ModuleBlacklisted,
			Message: fmt.Sprintf("%s is forbidden by module_blacklist= on the kernel's command line", name),
			Fix:     "take it out of the boot loader's configuration and reboot",
			Err:     err,
		}
	}
	e := &item.Error{
		Reason:  PermissionDenied,
		Message: fmt.Sprintf("the kernel does not let us load %s", name),
		Err:     err,
	}
	if v, rerr := o.m.Proc.ReadSysctl("kernel/modules_disabled"); rerr == nil && v == "1" {
		e.Message = fmt.Sprintf("%s cannot be loaded: kernel.modules_disabled is 1 until the next boot", name)
		e.Fix = "reboot"
	}
	return e
}

const commandLine = "/proc/cmdline"

func (o *Operation) deniedAtBoot(name string) bool {
	content, err := o.m.Proc.ReadProc(commandLine)
	if err != nil {
		return false
	}
	for _, word := range strings.Fields(string(content)) {
		if list, ok := strings.CutPrefix(word, "module_blacklist="); ok &&
			slices.Contains(strings.Split(underscored(list), ","), name) {
			return true
		}
	}
	return false
}
