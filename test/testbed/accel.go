package testbed

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

// accelerator is the way in which QEMU runs a guest's code.
type accelerator string

const (
	kvm accelerator = "kvm"
	tcg accelerator = "tcg"
)

func (a accelerator) args() []string {
	if a == kvm {
		return []string{"-accel", "kvm", "-cpu", "host"}
	}
	// A large translation buffer costs memory, and a plain old processor is
	// faster to emulate than "max".
	return []string{"-accel", "tcg,thread=multi,tb-size=256", "-cpu", "Nehalem"}
}

// probeTime is far more than a kernel with KVM takes to look for its disk.
const probeTime = 15 * time.Second

// findAccelerator takes KVM if the image's kernel really boots with it: on some
// machines /dev/kvm exists and cannot run one. The answer is kept beside the
// image until this machine's next boot.
func findAccelerator(ctx context.Context, c *cell, i *image) (accelerator, error) {
	if !openKernelDevice() {
		return tcg, nil
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	file := i.path("accelerator-" + strings.TrimSpace(string(boot)))
	known, err := os.ReadFile(file)
	if err == nil {
		return accelerator(known), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	found := tcg
	if kvmWorks(ctx, c, i) {
		found = kvm
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return found, os.WriteFile(file, []byte(found), 0o644)
}

// kvmWorks boots the kernel without a disk and waits for it to miss it.
func kvmWorks(ctx context.Context, c *cell, i *image) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	args := append(baseArgs(kvm, i), "-m", "256", "-append", "console=ttyS0 panic=-1")
	result, err := runProcess(ctx, c, exec.CommandContext(ctx, qemuProgram, args...))
	return err == nil && strings.Contains(result.Stdout, "Unable to mount root fs")
}
