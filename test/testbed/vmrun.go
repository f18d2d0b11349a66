package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// runPatience is how long Run waits: a test of a guest that hangs should say at what, and
// not run into the deadline of all tests.
const runPatience = 10 * time.Minute

// Run runs argv in the VM and waits for it.
func (vm *VM) Run(ctx context.Context, argv ...string) (Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, runPatience, fmt.Errorf("it takes longer than %s: %q", runPatience, argv))
	defer cancel()
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

// exec starts argv over the connection at hand, or over a new one if a test has
// cut that.
func (vm *VM) exec(ctx context.Context, stdin io.Reader, argv []string) (Process, error) {
	s, err := vm.connection(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", argv[0], err)
	}
	p, err := s.start(ctx, stdin, argv)
	if !errors.Is(err, errLost) {
		return p, err
	}
	if s, err = vm.connection(ctx, s); err != nil {
		return nil, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return s.start(ctx, stdin, argv)
}

// connection is the one at hand, unless that is the lost one.
func (vm *VM) connection(ctx context.Context, lost *shell) (*shell, error) {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	if vm.shell == nil || !vm.qemu.runs() {
		return nil, errors.New("the VM is down")
	}
	if vm.shell != lost {
		return vm.shell, nil
	}
	fresh, err := openShell(ctx, vm.image, vm.qemu.port)
	if err != nil {
		return nil, err
	}
	lost.close()
	vm.shell = fresh
	return fresh, nil
}

// useShell closes the connection at hand and takes another, or none.
func (vm *VM) useShell(s *shell) {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	if vm.shell != nil {
		vm.shell.close()
	}
	vm.shell = s
}
