// Command controlplane builds the Kubernetes programs that the tests run
// against, and pins their version.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/hostprofile/hostprofile/test/assets"
)

const usage = `usage:
  go run ./hack/controlplane build [NAME...]
        build what is missing and print the folder: etcd, kube-apiserver and
        kubectl, or the named programs; KUBEBUILDER_ASSETS is for this folder
  go run ./hack/controlplane pin VERSION
        rewrite test/controlplane/go.mod and go.sum for that Kubernetes release,
        such as v1.37.2`

var errUsage = errors.New(usage)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) >= 1 && args[0] == "build":
		return build(ctx, args[1:])
	case len(args) == 2 && args[0] == "pin":
		return pin(ctx, args[1])
	default:
		return errUsage
	}
}

func build(ctx context.Context, names []string) error {
	dir, err := assets.ControlPlane(ctx, os.Stderr, names...)
	if err != nil {
		return err
	}
	fmt.Println(dir)
	return nil
}

func pin(ctx context.Context, version string) error {
	dir, err := assets.ModuleDir()
	if err != nil {
		return err
	}
	return writePinned(ctx, dir, version)
}
