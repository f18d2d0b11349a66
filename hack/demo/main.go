// Command demo shows the main job on a real host: a VM with a kernel of its own is looked
// at, prepared, disturbed, repaired, killed in the middle, and given back.
//
//	make demo          as root, on a Debian machine with Go
//	KEEP=1 make demo   leaves the VM running and says how to log in
//
// It installs the packages that it needs and changes nothing else on the machine but its
// folder in the user's cache.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	start := time.Now()
	binary, err := buildBootstrap(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(binary.dir) }()
	host, err := boot(ctx)
	if err != nil {
		return err
	}
	// The host is stopped also when the demo is interrupted: then ctx is over already.
	defer func() { _ = host.Stop(context.WithoutCancel(ctx)) }()
	s := &story{host: host, start: start}
	if err := s.tell(ctx, binary); err != nil {
		return err
	}
	fmt.Printf("\nAll of it took %.0f s.\n", time.Since(start).Seconds())
	if os.Getenv("KEEP") == "" {
		return nil
	}
	fmt.Printf("The host is left running until you press Ctrl-C. Log in with:\n  %s\n", host.Login())
	<-ctx.Done()
	return nil
}

// boot starts the VM, or a container where the machine has no QEMU.
func boot(ctx context.Context) (testbed.Host, error) {
	say("Installing what the demo needs")
	err := testbed.Packages(ctx, os.Stdout, testbed.VMKind)
	if err == nil {
		say("Booting a VM: Debian, systemd, swap on, unprepared")
		return testbed.NewVM(ctx, testbed.VMOptions{SwapDisk: 128, Progress: os.Stdout})
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	fmt.Println("no VM on this machine:", err)
	say("Booting a container instead. It cannot show modules, swap, vm.* and kernel.* sysctls, or a power cut")
	if err := testbed.Packages(ctx, os.Stdout, testbed.ContainerKind); err != nil {
		return nil, err
	}
	return testbed.NewContainer(ctx, testbed.ContainerOptions{Progress: os.Stdout})
}
