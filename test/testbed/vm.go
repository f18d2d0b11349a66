package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// VMOptions changes what NewVM makes.
type VMOptions struct {
	// Kind is the kind of virtual machine; empty means VMKind.
	Kind Kind

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

	// Reach are TCP ports of this machine's loopback that the guest reaches, each at
	// the address Outside and under the same number. It reaches nothing else.
	Reach []int

	// Progress is told how the image is built; nil means standard error.
	Progress io.Writer
}

// VM is a virtual machine: a kernel, modules, swap and systemd of its own.
//
// It reaches nothing but itself and what VMOptions.Reach names, and only this
// machine reaches it, through a forwarded loopback port. Its disk is a file without a name, which the kernel
// frees together with the test.
type VM struct {
	options VMOptions
	id      string // as in /etc/machine-id
	image   *image
	cell    *cell
	accel   accelerator
	disks   []*os.File
	qemu    *qemu

	mu    sync.Mutex // guards shell
	shell *shell     // nil while the VM is down
}

var _ Host = (*VM)(nil)

// NewVM boots a virtual machine and returns when its init has started
// everything. It builds the image first if need be. It needs root.
func NewVM(ctx context.Context, o VMOptions) (*VM, error) {
	if o.Kind == "" {
		o.Kind = VMKind
	}
	if err := Missing(o.Kind); err != nil {
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
	if vm.image, err = openImage(ctx, progressWriter(vm.options.Progress), vm.options.Kind, vm.options.Packages); err != nil {
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
