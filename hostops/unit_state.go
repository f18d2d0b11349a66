package hostops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// noRestart is the drop-in of SuppressRestart.
const noRestart = "# Written by 'bootstrap down', until it has ended.\n[Service]\nRestart=no\n"

// SuppressRestart keeps systemd from starting the unit again when its process ends, until
// AllowRestart or the next boot. The unit's own file and whether boots start it stay as
// they are. A unit that is missing is no error, and nothing is written then.
func (h *Host) SuppressRestart(ctx context.Context) error {
	if h.offline() || !h.SystemdAvailable(ctx) {
		return nil
	}
	u, err := h.machine.Units.Unit(ctx, paths.Unit)
	if err != nil || u.State == machine.UnitAbsent {
		return err
	}
	if err := h.machine.Files.Mkdir(paths.NoRestartDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("keep %s from starting again: %w", paths.Unit, err)
	}
	if err := h.machine.Files.WriteVolatile(paths.NoRestart, []byte(noRestart), unitMode); err != nil {
		return fmt.Errorf("keep %s from starting again: %w", paths.Unit, err)
	}
	return h.ReloadSystemd(ctx)
}

// AllowRestart takes SuppressRestart back. It lets systemd read its files again even if
// there is nothing to remove: an earlier call may have come no further than that.
func (h *Host) AllowRestart(ctx context.Context) error {
	return errors.Join(h.dropNoRestart(), h.ReloadSystemd(ctx))
}

// dropNoRestart removes the drop-in, without telling systemd.
func (h *Host) dropNoRestart() error {
	if err := h.remove(paths.NoRestart); err != nil {
		return err
	}
	return h.rmdir(paths.NoRestartDir)
}

// UnitEnabled reports whether boots start the unit. One that is masked or missing they do
// not.
func (h *Host) UnitEnabled(ctx context.Context) (bool, error) {
	if !h.SystemdAvailable(ctx) {
		return false, nil
	}
	u, err := h.machine.Units.Unit(ctx, paths.Unit)
	return u.State == machine.UnitEnabled, err
}

// UnitMainPID returns the process that systemd runs as the unit; 0 if it runs none.
func (h *Host) UnitMainPID(ctx context.Context) (int, error) {
	if !h.SystemdAvailable(ctx) {
		return 0, nil
	}
	u, err := h.machine.Units.Unit(ctx, paths.Unit)
	return u.MainPID, err
}

// UnitArgv returns the command line that the unit's file has, word for word as InstallUnit
// was given it. A unit that is missing or masked matches fs.ErrNotExist: systemd starts
// none. A drop-in that sets a command line of its own is an error that names it.
func (h *Host) UnitArgv(context.Context) ([]string, error) {
	if h.maskedPath(paths.UnitFile) || h.emptyFile(paths.UnitFile) {
		return nil, fmt.Errorf("%s is masked: %w", paths.Unit, fs.ErrNotExist)
	}
	text, err := h.machine.Files.Read(paths.UnitFile)
	if err != nil {
		return nil, fmt.Errorf("read the unit: %w", err)
	}
	if err := h.checkDropIns(); err != nil {
		return nil, err
	}
	argv, err := unit.ExecStart(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", paths.UnitFile, err)
	}
	return argv, nil
}

// UnitExecPath returns the program that the unit's file runs, with the errors of UnitArgv.
func (h *Host) UnitExecPath(ctx context.Context) (string, error) {
	argv, err := h.UnitArgv(ctx)
	if err != nil {
		return "", err
	}
	return argv[0], nil
}

// checkDropIns looks for a drop-in that sets the command line. A folder's file hides those
// of its name in the folders after it, and the drop-ins of all services count too.
func (h *Host) checkDropIns() error {
	for _, name := range []string{paths.Unit, "service"} {
		var seen []string
		for _, dir := range paths.UnitDirs {
			dir = path.Join(dir, name+".d")
			files, err := h.machine.Files.ReadDir(dir)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("look for drop-ins: %w", err)
			}
			for _, f := range files {
				if path.Ext(f) != ".conf" || slices.Contains(seen, f) {
					continue
				}
				seen = append(seen, f)
				if err := h.checkDropIn(path.Join(dir, f)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkDropIn reads one. A link that leads nowhere systemd skips, and one to /dev/null
// says nothing.
func (h *Host) checkDropIn(file string) error {
	if h.maskedPath(file) {
		return nil
	}
	text, err := h.machine.Files.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a drop-in of %s: %w", paths.Unit, err)
	}
	if unit.SetsExecStart(string(text)) {
		return fmt.Errorf("%s sets ExecStart=, so that systemd may run another command line than that of %s: remove it there", file, paths.UnitFile)
	}
	return nil
}
