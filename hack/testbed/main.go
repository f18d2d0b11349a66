// Command testbed prepares and inspects the hosts that tests run on.
//
//	testbed images [KIND|all]   install what is missing and build images
//	testbed shell KIND          boot a host and leave it to a person
//	testbed prune               remove the images that no test uses now
//
// The kinds are container, vm, vm-selinux, vm-sysvinit and vm-openrc.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/hostprofile/hostprofile/test/testbed"
)

const usage = `Usage:
  testbed images [KIND|all]   install what is missing and build images
  testbed shell KIND          boot a host and print how to log in
  testbed prune               remove the images that no test uses now

The kinds are container, vm, vm-selinux, vm-sysvinit and vm-openrc.
`

var errUsage = errors.New("wrong arguments")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := report(run(ctx, os.Args[1:]))
	stop()
	os.Exit(status)
}

// report tells the person what went wrong and returns the exit status.
func report(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	fmt.Fprintln(os.Stderr, "testbed:", err)
	return 1
}

func run(ctx context.Context, args []string) error {
	command, kind := "", "all"
	if len(args) > 0 {
		command = args[0]
	}
	if len(args) > 1 {
		kind = args[1]
	}
	switch command {
	case "images":
		return images(ctx, kind)
	case "shell":
		return shell(ctx, kind)
	case "prune":
		return testbed.Prune(os.Stdout)
	}
	return errUsage
}

func images(ctx context.Context, kind string) error {
	kinds, err := kindsNamed(kind)
	if err != nil {
		return err
	}
	if err := testbed.Packages(ctx, os.Stdout, kinds...); err != nil {
		return err
	}
	return testbed.BuildImages(ctx, os.Stdout, kinds...)
}

func kindsNamed(name string) ([]testbed.Kind, error) {
	if name == "all" {
		return testbed.Kinds(), nil
	}
	if kind := testbed.Kind(name); slices.Contains(testbed.Kinds(), kind) {
		return []testbed.Kind{kind}, nil
	}
	return nil, errUsage
}

// shell boots a host and keeps it until the person interrupts.
func shell(ctx context.Context, kind string) error {
	host, err := boot(ctx, testbed.Kind(kind))
	if err != nil {
		return err
	}
	fmt.Printf("%s runs. Log in from another terminal with:\n\n  %s\n\nInterrupt to remove it.\n", host.Name(), host.Login())
	<-ctx.Done()
	return host.Stop(context.WithoutCancel(ctx))
}

func boot(ctx context.Context, kind testbed.Kind) (testbed.Host, error) {
	switch {
	case kind == testbed.ContainerKind:
		return testbed.NewContainer(ctx, testbed.ContainerOptions{})
	case slices.Contains(testbed.Kinds(), kind):
		return testbed.NewVM(ctx, testbed.VMOptions{Kind: kind, SwapDisk: 256})
	}
	return nil, errUsage
}
