package testbed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// bootAttempts is how often a VM is powered on whose kernel ends before it has
// touched its disk: the port may have been taken meanwhile, and QEMU's software
// emulation has been seen to fail so early, very rarely.
const bootAttempts = 3

// What a guest may take to boot, and to go down, before it counts as one that hangs. In
// software emulation on a busy machine a boot has been seen to take two minutes.
const (
	bootPatience     = 6 * time.Minute
	shutdownPatience = 4 * time.Minute
)

// diskMark is printed by the kernel when it has mounted its disk.
const diskMark = "EXT4-fs (nvme0n1): mounted"

// Boot starts the VM and returns when its init has started everything.
func (vm *VM) Boot(ctx context.Context) error { return vm.start(ctx, vm.settle) }

// start starts the VM and returns when it answers and has done what is waited for.
func (vm *VM) start(ctx context.Context, wait func(context.Context) error) error {
	if vm.cell == nil {
		return errors.New("boot the VM: it has been removed")
	}
	if vm.qemu != nil && vm.qemu.runs() {
		return nil
	}
	for attempt := 1; ; attempt++ {
		err := vm.boot(ctx, wait)
		if err == nil {
			return nil
		}
		early := vm.qemu != nil && !vm.qemu.runs() && !strings.Contains(vm.Console(), diskMark)
		if !early || attempt == bootAttempts {
			err = fmt.Errorf("boot the VM: %w; console:\n%s", err, tail(vm.Console(), 3000))
			return errors.Join(err, vm.Kill(ctx))
		}
	}
}

func (vm *VM) boot(ctx context.Context, wait func(context.Context) error) error {
	var err error
	if vm.qemu, err = startQEMU(ctx, vm); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, bootPatience, fmt.Errorf("it takes longer than %s", bootPatience))
	defer cancel()
	if err := vm.qemu.waitFor(ctx, readyMark); err != nil {
		return err
	}
	fresh, err := openShell(ctx, vm.image, vm.qemu.port)
	if err != nil {
		return err
	}
	vm.useShell(fresh)
	return wait(ctx)
}

// settle waits until the init has started everything, and says what it waits for if that
// takes too long.
func (vm *VM) settle(ctx context.Context) error {
	if !vm.variant().systemd {
		return nil // its init prints the mark last
	}
	// It answers "degraded", with status 1, if a unit failed: the test's business.
	_, err := vm.Run(ctx, "systemctl", "is-system-running", "--wait")
	if err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	jobs, _ := vm.Run(ctx, "sh", "-c", "systemctl list-jobs; systemctl status --no-pager -l $(systemctl list-jobs --no-legend | awk '$4 == \"running\" {print $2}')")
	return fmt.Errorf("%w\n%s%s", err, jobs.Stdout, jobs.Stderr)
}

// Clone makes the next boot that of a clone: the same disk, with another machine-id.
func (vm *VM) Clone() { vm.id = machineID() }

// Kill cuts the power: what the guest has not written to its disk is lost.
func (vm *VM) Kill(context.Context) error {
	vm.useShell(nil)
	if vm.qemu != nil {
		vm.qemu.kill()
	}
	return nil
}

// Reboot lets the VM's init shut down and starts a fresh QEMU on its disks.
func (vm *VM) Reboot(ctx context.Context) error { return vm.reboot(ctx, vm.settle) }

// RebootEarly is Reboot for a boot that does not come to its end: it returns as soon as
// commands can be run.
func (vm *VM) RebootEarly(ctx context.Context) error {
	return vm.reboot(ctx, func(context.Context) error { return nil })
}

func (vm *VM) reboot(ctx context.Context, wait func(context.Context) error) error {
	argv := []string{"reboot"}
	if vm.variant().systemd {
		argv = []string{"systemctl", "--no-block", "reboot"}
	}
	// The connection may end before the command does.
	if r, err := vm.Run(ctx, argv...); vm.qemu.runs() && (err != nil || r.ExitCode != 0) {
		return fmt.Errorf("reboot the VM: %w", check(r, err, argv...))
	}
	ending, cancel := context.WithTimeoutCause(ctx, shutdownPatience, fmt.Errorf("it takes longer than %s", shutdownPatience))
	defer cancel()
	if err := vm.qemu.waitForEnd(ending); err != nil {
		return fmt.Errorf("reboot the VM: %w; console:\n%s", err, tail(vm.Console(), 3000))
	}
	return errors.Join(vm.Kill(ctx), vm.start(ctx, wait))
}

// Stop kills the VM and removes everything of it.
func (vm *VM) Stop(ctx context.Context) error {
	problems := []error{vm.Kill(ctx)}
	for _, disk := range vm.disks {
		problems = append(problems, disk.Close())
	}
	vm.disks = nil
	if vm.cell != nil {
		vm.cell.close()
		vm.cell = nil
	}
	if vm.image != nil {
		problems = append(problems, vm.image.Close())
		vm.image = nil
	}
	return errors.Join(problems...)
}
