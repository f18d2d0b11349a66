package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// VMOptions changes what NewVM makes.
type VMOptions struct {
	// Packages are Debian packages to have besides the usual ones. Each set
	// of packages is an image of its own.
	Packages []string

	// Memory is the VM's memory in MiB; 0 means 768.
	Memory int

	// SwapDisk is the size in MiB of a second disk that the guest swaps to
	// from boot on; 0 means no swap.
	SwapDisk int

	// CommandLine is added to the kernel's command line, for example
	// "systemd.mask=firewalld.service".
	CommandLine string

	// Progress is told how the image is built; nil means standard error.
	Progress io.Writer
}

// VM is a virtual machine: a kernel, modules, swap and systemd of its own.
//
// It reaches nothing but itself, and only this machine reaches it, through a
// forwarded loopback port. Its disk is a file without a name, which the kernel
// frees together with the test.
type VM struct {
	options VMOptions
	id      string // as in /etc/machine-id
	image   *image
	cell    *cell
	accel   accelerator
	disks   []*os.File
	qemu    *qemu
	shell   *shell
}

var _ Host = (*VM)(nil)

// NewVM boots a virtual machine and returns when its systemd has started
// everything. It builds the image first if need be. It needs root.
func NewVM(ctx context.Context, o VMOptions) (*VM, error) {
	if err := Missing(VMKind); err != nil {
		return nil, fmt.Errorf("a VM %w", err)
	}
	if o.Memory == 0 {
		o.Memory = 768
	}
	vm := &VM{options: o, id: machineID()}
	if err := vm.make(ctx); err != nil {
		return nil, fmt.Errorf("make a VM: %w", errors.Join(err, vm.Stop(ctx)))
	}
	return vm, nil
}

func (vm *VM) make(ctx context.Context) error {
	var err error
	if vm.image, err = openImage(ctx, progressWriter(vm.options.Progress), VMKind, vm.options.Packages); err != nil {
		return err
	}
	if vm.cell, err = newCell(); err != nil {
		return err
	}
	if vm.accel, err = findAccelerator(ctx, vm.cell, vm.image); err != nil {
		return err
	}
	if err := vm.makeDisks(ctx); err != nil {
		return err
	}
	return vm.Boot(ctx)
}

func (vm *VM) makeDisks(ctx context.Context) error {
	root, err := copyDisk(vm.image.path(diskFile))
	if err != nil {
		return err
	}
	vm.disks = append(vm.disks, root)
	if vm.options.SwapDisk == 0 {
		return nil
	}
	swap, err := makeSwap(ctx, vm.options.SwapDisk)
	if err != nil {
		return err
	}
	vm.disks = append(vm.disks, swap)
	return nil
}

// Name is the VM's host name.
func (vm *VM) Name() string { return vmHostname }

// Login is an ssh command line.
func (vm *VM) Login() string {
	if vm.qemu == nil {
		return "(the VM is down)"
	}
	return quoteAll([]string{
		"ssh", "-i", vm.image.path(keyFile), "-p", vm.qemu.port, "-o", "StrictHostKeyChecking=no",
		"-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "root@" + loopback,
	})
}

// Console is what the VM has printed on its serial port since its last start.
func (vm *VM) Console() string {
	if vm.qemu == nil {
		return ""
	}
	return vm.qemu.process.Output()
}

// Accelerated reports whether the VM runs on the processor itself and not in
// software, which is many times slower.
func (vm *VM) Accelerated() bool { return vm.accel == kvm }

// Boot starts the VM and returns when its systemd has started everything.
func (vm *VM) Boot(ctx context.Context) error {
	if vm.cell == nil {
		return errors.New("boot the VM: it has been removed")
	}
	if vm.qemu != nil && vm.qemu.runs() {
		return nil
	}
	if err := vm.boot(ctx); err != nil {
		err = fmt.Errorf("boot the VM: %w; console:\n%s", err, tail(vm.Console(), 3000))
		return errors.Join(err, vm.Kill(ctx))
	}
	return nil
}

func (vm *VM) boot(ctx context.Context) error {
	var err error
	if vm.qemu, err = startQEMU(ctx, vm); err != nil {
		return err
	}
	if err := vm.qemu.waitFor(ctx, readyMark); err != nil {
		return err
	}
	if vm.shell, err = openShell(ctx, vm.image, vm.qemu.port); err != nil {
		return err
	}
	// It answers "degraded", with status 1, if a unit failed: the test's business.
	_, err = vm.Run(ctx, "systemctl", "is-system-running", "--wait")
	return err
}

// Kill cuts the power: what the guest has not written to its disk is lost.
func (vm *VM) Kill(context.Context) error {
	if vm.shell != nil {
		vm.shell.close()
		vm.shell = nil
	}
	if vm.qemu != nil {
		vm.qemu.kill()
	}
	return nil
}

// Reboot lets the VM's systemd shut down and starts a fresh QEMU on its disks.
func (vm *VM) Reboot(ctx context.Context) error {
	if _, err := vm.Run(ctx, "systemctl", "--no-block", "reboot"); err != nil && vm.qemu.runs() {
		return fmt.Errorf("reboot the VM: %w", err)
	}
	if err := vm.qemu.waitForEnd(ctx); err != nil {
		return fmt.Errorf("reboot the VM: %w", err)
	}
	return errors.Join(vm.Kill(ctx), vm.Boot(ctx))
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

// Run runs argv in the VM and waits for it.
func (vm *VM) Run(ctx context.Context, argv ...string) (Result, error) {
	p, err := vm.exec(ctx, nil, argv)
	if err != nil {
		return Result{}, err
	}
	return p.Wait()
}

// Start runs argv in the VM in the background.
func (vm *VM) Start(ctx context.Context, argv ...string) (Process, error) {
	return vm.exec(ctx, nil, argv)
}

// Push copies a file into the VM.
func (vm *VM) Push(ctx context.Context, localPath, remotePath string, mode fs.FileMode) error {
	return push(ctx, vm.exec, localPath, remotePath, mode)
}

func (vm *VM) exec(ctx context.Context, stdin io.Reader, argv []string) (Process, error) {
	if vm.shell == nil {
		return nil, fmt.Errorf("run %s: the VM is down", argv[0])
	}
	return vm.shell.start(ctx, stdin, argv)
}
