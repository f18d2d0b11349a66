// Command manager is the part of HostProfile that runs in a cluster: one agent on every
// node, which keeps its host as the HostProfiles say.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	klog.SetLogger(logr.Discard())
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	root := tree(log, os.Getenv("NODE_NAME"))
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
